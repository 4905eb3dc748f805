source_filename = "regex.c"

@main.patterns = internal constant [8 x ptr] [ptr @.str, ptr @.str.1, ptr @.str.2, ptr @.str.3, ptr @.str.4, ptr @.str.5, ptr @.str.6, ptr @.str.7], align 16
@.str = private unnamed_addr constant [7 x i8] c"^ab*c$\00", align 1
@.str.1 = private unnamed_addr constant [4 x i8] c"a.c\00", align 1
@.str.2 = private unnamed_addr constant [6 x i8] c"x+y?z\00", align 1
@.str.3 = private unnamed_addr constant [8 x i8] c"colou?r\00", align 1
@.str.4 = private unnamed_addr constant [3 x i8] c"^$\00", align 1
@.str.5 = private unnamed_addr constant [3 x i8] c"b$\00", align 1
@.str.6 = private unnamed_addr constant [8 x i8] c"e.*e.*e\00", align 1
@.str.7 = private unnamed_addr constant [8 x i8] c"a+a+a+b\00", align 1
@main.texts = internal constant [8 x ptr] [ptr @.str.8, ptr @.str.9, ptr @.str.10, ptr @.str.11, ptr @.str.12, ptr @.str.13, ptr @.str.14, ptr @.str.15], align 16
@.str.8 = private unnamed_addr constant [6 x i8] c"abbbc\00", align 1
@.str.9 = private unnamed_addr constant [4 x i8] c"xxz\00", align 1
@.str.10 = private unnamed_addr constant [18 x i8] c"the colour of abc\00", align 1
@.str.11 = private unnamed_addr constant [1 x i8] zeroinitializer, align 1
@.str.12 = private unnamed_addr constant [5 x i8] c"aaab\00", align 1
@.str.13 = private unnamed_addr constant [8 x i8] c"cheesee\00", align 1
@.str.14 = private unnamed_addr constant [14 x i8] c"aaaaaaaaaaaac\00", align 1
@.str.15 = private unnamed_addr constant [13 x i8] c"color me xyz\00", align 1
@.str.16 = private unnamed_addr constant [3 x i8] c"%d\00", align 1
@.str.17 = private unnamed_addr constant [2 x i8] c" \00", align 1
@.str.18 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@.str.19 = private unnamed_addr constant [4 x i8] c"%d\0A\00", align 1

define dso_local i32 @fits(i8 noundef signext %0, i8 noundef signext %1) #0 {
  %3 = alloca i8, align 1
  %4 = alloca i8, align 1
  store i8 %0, ptr %3, align 1
  store i8 %1, ptr %4, align 1
  %5 = load i8, ptr %4, align 1
  %6 = sext i8 %5 to i32
  %7 = icmp ne i32 %6, 0
  br i1 %7, label %8, label %20

8:
  %9 = load i8, ptr %3, align 1
  %10 = sext i8 %9 to i32
  %11 = icmp eq i32 %10, 46
  br i1 %11, label %18, label %12

12:
  %13 = load i8, ptr %3, align 1
  %14 = sext i8 %13 to i32
  %15 = load i8, ptr %4, align 1
  %16 = sext i8 %15 to i32
  %17 = icmp eq i32 %14, %16
  br label %18

18:
  %19 = phi i1 [ true, %8 ], [ %17, %12 ]
  br label %20

20:
  %21 = phi i1 [ false, %2 ], [ %19, %18 ]
  %22 = zext i1 %21 to i32
  ret i32 %22
}

define dso_local i32 @match_many(ptr noundef %0, ptr noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %6, align 8
  store ptr %1, ptr %7, align 8
  store i32 %2, ptr %8, align 4
  store i32 %3, ptr %9, align 4
  store i32 0, ptr %10, align 4
  br label %11

11:
  %12 = load i32, ptr %10, align 4
  %13 = load i32, ptr %9, align 4
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %26

15:
  %16 = load ptr, ptr %6, align 8
  %17 = getelementptr inbounds i8, ptr %16, i64 0
  %18 = load i8, ptr %17, align 1
  %19 = load ptr, ptr %7, align 8
  %20 = load i32, ptr %10, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds i8, ptr %19, i64 %21
  %23 = load i8, ptr %22, align 1
  %24 = call i32 @fits(i8 noundef signext %18, i8 noundef signext %23)
  %25 = icmp ne i32 %24, 0
  br label %26

26:
  %27 = phi i1 [ false, %11 ], [ %25, %15 ]
  br i1 %27, label %28, label %31

28:
  %29 = load i32, ptr %10, align 4
  %30 = add nsw i32 %29, 1
  store i32 %30, ptr %10, align 4
  br label %11, !llvm.loop !4

31:
  br label %32

32:
  %33 = load i32, ptr %10, align 4
  %34 = load i32, ptr %8, align 4
  %35 = icmp sge i32 %33, %34
  br i1 %35, label %36, label %50

36:
  %37 = load ptr, ptr %6, align 8
  %38 = getelementptr inbounds i8, ptr %37, i64 2
  %39 = load ptr, ptr %7, align 8
  %40 = load i32, ptr %10, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i8, ptr %39, i64 %41
  %43 = call i32 @match_here(ptr noundef %38, ptr noundef %42)
  %44 = icmp ne i32 %43, 0
  br i1 %44, label %45, label %46

45:
  store i32 1, ptr %5, align 4
  br label %51

46:
  br label %47

47:
  %48 = load i32, ptr %10, align 4
  %49 = add nsw i32 %48, -1
  store i32 %49, ptr %10, align 4
  br label %32, !llvm.loop !6

50:
  store i32 0, ptr %5, align 4
  br label %51

51:
  %52 = load i32, ptr %5, align 4
  ret i32 %52
}

define dso_local i32 @match_here(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %6 = load ptr, ptr %4, align 8
  %7 = load i8, ptr %6, align 1
  %8 = icmp ne i8 %7, 0
  br i1 %8, label %10, label %9

9:
  store i32 1, ptr %3, align 4
  br label %61

10:
  %11 = load ptr, ptr %4, align 8
  %12 = getelementptr inbounds i8, ptr %11, i64 1
  %13 = load i8, ptr %12, align 1
  %14 = sext i8 %13 to i32
  switch i32 %14, label %27 [
    i32 42, label %15
    i32 43, label %19
    i32 63, label %23
  ]

15:
  %16 = load ptr, ptr %4, align 8
  %17 = load ptr, ptr %5, align 8
  %18 = call i32 @match_many(ptr noundef %16, ptr noundef %17, i32 noundef 0, i32 noundef 1000)
  store i32 %18, ptr %3, align 4
  br label %61

19:
  %20 = load ptr, ptr %4, align 8
  %21 = load ptr, ptr %5, align 8
  %22 = call i32 @match_many(ptr noundef %20, ptr noundef %21, i32 noundef 1, i32 noundef 1000)
  store i32 %22, ptr %3, align 4
  br label %61

23:
  %24 = load ptr, ptr %4, align 8
  %25 = load ptr, ptr %5, align 8
  %26 = call i32 @match_many(ptr noundef %24, ptr noundef %25, i32 noundef 0, i32 noundef 1)
  store i32 %26, ptr %3, align 4
  br label %61

27:
  br label %28

28:
  %29 = load ptr, ptr %4, align 8
  %30 = load i8, ptr %29, align 1
  %31 = sext i8 %30 to i32
  %32 = icmp eq i32 %31, 36
  br i1 %32, label %33, label %44

33:
  %34 = load ptr, ptr %4, align 8
  %35 = getelementptr inbounds i8, ptr %34, i64 1
  %36 = load i8, ptr %35, align 1
  %37 = icmp ne i8 %36, 0
  br i1 %37, label %44, label %38

38:
  %39 = load ptr, ptr %5, align 8
  %40 = load i8, ptr %39, align 1
  %41 = icmp ne i8 %40, 0
  %42 = xor i1 %41, true
  %43 = zext i1 %42 to i32
  store i32 %43, ptr %3, align 4
  br label %61

44:
  %45 = load ptr, ptr %4, align 8
  %46 = load i8, ptr %45, align 1
  %47 = load ptr, ptr %5, align 8
  %48 = load i8, ptr %47, align 1
  %49 = call i32 @fits(i8 noundef signext %46, i8 noundef signext %48)
  %50 = icmp ne i32 %49, 0
  br i1 %50, label %51, label %58

51:
  %52 = load ptr, ptr %4, align 8
  %53 = getelementptr inbounds i8, ptr %52, i64 1
  %54 = load ptr, ptr %5, align 8
  %55 = getelementptr inbounds i8, ptr %54, i64 1
  %56 = call i32 @match_here(ptr noundef %53, ptr noundef %55)
  %57 = icmp ne i32 %56, 0
  br label %58

58:
  %59 = phi i1 [ false, %44 ], [ %57, %51 ]
  %60 = zext i1 %59 to i32
  store i32 %60, ptr %3, align 4
  br label %61

61:
  %62 = load i32, ptr %3, align 4
  ret i32 %62
}

define dso_local i32 @search(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %6 = load ptr, ptr %4, align 8
  %7 = load i8, ptr %6, align 1
  %8 = sext i8 %7 to i32
  %9 = icmp eq i32 %8, 94
  br i1 %9, label %10, label %15

10:
  %11 = load ptr, ptr %4, align 8
  %12 = getelementptr inbounds i8, ptr %11, i64 1
  %13 = load ptr, ptr %5, align 8
  %14 = call i32 @match_here(ptr noundef %12, ptr noundef %13)
  store i32 %14, ptr %3, align 4
  br label %29

15:
  br label %16

16:
  %17 = load ptr, ptr %4, align 8
  %18 = load ptr, ptr %5, align 8
  %19 = call i32 @match_here(ptr noundef %17, ptr noundef %18)
  %20 = icmp ne i32 %19, 0
  br i1 %20, label %21, label %22

21:
  store i32 1, ptr %3, align 4
  br label %29

22:
  br label %23

23:
  %24 = load ptr, ptr %5, align 8
  %25 = getelementptr inbounds nuw i8, ptr %24, i32 1
  store ptr %25, ptr %5, align 8
  %26 = load i8, ptr %24, align 1
  %27 = icmp ne i8 %26, 0
  br i1 %27, label %16, label %28, !llvm.loop !7

28:
  store i32 0, ptr %3, align 4
  br label %29

29:
  %30 = load i32, ptr %3, align 4
  ret i32 %30
}

define dso_local i32 @is_repeat(i8 noundef signext %0) #0 {
  %2 = alloca i8, align 1
  store i8 %0, ptr %2, align 1
  %3 = load i8, ptr %2, align 1
  %4 = sext i8 %3 to i32
  %5 = icmp eq i32 %4, 42
  br i1 %5, label %14, label %6

6:
  %7 = load i8, ptr %2, align 1
  %8 = sext i8 %7 to i32
  %9 = icmp eq i32 %8, 43
  br i1 %9, label %14, label %10

10:
  %11 = load i8, ptr %2, align 1
  %12 = sext i8 %11 to i32
  %13 = icmp eq i32 %12, 63
  br label %14

14:
  %15 = phi i1 [ true, %6 ], [ true, %1 ], [ %13, %10 ]
  %16 = zext i1 %15 to i32
  ret i32 %16
}

define dso_local i32 @add_state(ptr noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %5, align 8
  store i32 %1, ptr %6, align 4
  store i32 %2, ptr %7, align 4
  %8 = load i32, ptr %6, align 4
  %9 = shl i32 1, %8
  %10 = load i32, ptr %7, align 4
  %11 = or i32 %10, %9
  store i32 %11, ptr %7, align 4
  %12 = load ptr, ptr %5, align 8
  %13 = load i32, ptr %6, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds i8, ptr %12, i64 %14
  %16 = load i8, ptr %15, align 1
  %17 = sext i8 %16 to i32
  %18 = icmp ne i32 %17, 0
  br i1 %18, label %19, label %43

19:
  %20 = load ptr, ptr %5, align 8
  %21 = load i32, ptr %6, align 4
  %22 = add nsw i32 %21, 1
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds i8, ptr %20, i64 %23
  %25 = load i8, ptr %24, align 1
  %26 = sext i8 %25 to i32
  %27 = icmp eq i32 %26, 42
  br i1 %27, label %37, label %28

28:
  %29 = load ptr, ptr %5, align 8
  %30 = load i32, ptr %6, align 4
  %31 = add nsw i32 %30, 1
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i8, ptr %29, i64 %32
  %34 = load i8, ptr %33, align 1
  %35 = sext i8 %34 to i32
  %36 = icmp eq i32 %35, 63
  br i1 %36, label %37, label %43

37:
  %38 = load ptr, ptr %5, align 8
  %39 = load i32, ptr %6, align 4
  %40 = add nsw i32 %39, 2
  %41 = load i32, ptr %7, align 4
  %42 = call i32 @add_state(ptr noundef %38, i32 noundef %40, i32 noundef %41)
  store i32 %42, ptr %4, align 4
  br label %45

43:
  %44 = load i32, ptr %7, align 4
  store i32 %44, ptr %4, align 4
  br label %45

45:
  %46 = load i32, ptr %4, align 4
  ret i32 %46
}

define dso_local i32 @search_by_states(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i8, align 1
  %11 = alloca i8, align 1
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  %12 = load ptr, ptr %4, align 8
  %13 = load i8, ptr %12, align 1
  %14 = sext i8 %13 to i32
  %15 = icmp eq i32 %14, 94
  %16 = zext i1 %15 to i32
  store i32 %16, ptr %6, align 4
  %17 = load i32, ptr %6, align 4
  %18 = load ptr, ptr %4, align 8
  %19 = sext i32 %17 to i64
  %20 = getelementptr inbounds i8, ptr %18, i64 %19
  store ptr %20, ptr %4, align 8
  %21 = load ptr, ptr %4, align 8
  %22 = call i32 @add_state(ptr noundef %21, i32 noundef 0, i32 noundef 0)
  store i32 %22, ptr %7, align 4
  br label %23

23:
  %24 = load i32, ptr %6, align 4
  %25 = icmp ne i32 %24, 0
  br i1 %25, label %26, label %27

26:
  br label %30

27:
  %28 = load ptr, ptr %4, align 8
  %29 = call i32 @add_state(ptr noundef %28, i32 noundef 0, i32 noundef 0)
  br label %30

30:
  %31 = phi i32 [ 0, %26 ], [ %29, %27 ]
  store i32 %31, ptr %8, align 4
  store i32 0, ptr %9, align 4
  br label %32

32:
  %33 = load i32, ptr %7, align 4
  %34 = load i32, ptr %9, align 4
  %35 = lshr i32 %33, %34
  %36 = icmp ne i32 %35, 0
  br i1 %36, label %37, label %111

37:
  %38 = load i32, ptr %7, align 4
  %39 = load i32, ptr %9, align 4
  %40 = lshr i32 %38, %39
  %41 = and i32 %40, 1
  %42 = icmp ne i32 %41, 0
  br i1 %42, label %44, label %43

43:
  br label %108

44:
  %45 = load ptr, ptr %4, align 8
  %46 = load i32, ptr %9, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds i8, ptr %45, i64 %47
  %49 = load i8, ptr %48, align 1
  store i8 %49, ptr %10, align 1
  %50 = load i8, ptr %10, align 1
  %51 = sext i8 %50 to i32
  %52 = icmp ne i32 %51, 0
  br i1 %52, label %53, label %61

53:
  %54 = load ptr, ptr %4, align 8
  %55 = load i32, ptr %9, align 4
  %56 = add nsw i32 %55, 1
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds i8, ptr %54, i64 %57
  %59 = load i8, ptr %58, align 1
  %60 = sext i8 %59 to i32
  br label %62

61:
  br label %62

62:
  %63 = phi i32 [ %60, %53 ], [ 0, %61 ]
  %64 = trunc i32 %63 to i8
  store i8 %64, ptr %11, align 1
  %65 = load i8, ptr %10, align 1
  %66 = icmp ne i8 %65, 0
  br i1 %66, label %67, label %78

67:
  %68 = load i8, ptr %10, align 1
  %69 = sext i8 %68 to i32
  %70 = icmp eq i32 %69, 36
  br i1 %70, label %71, label %79

71:
  %72 = load i8, ptr %11, align 1
  %73 = icmp ne i8 %72, 0
  br i1 %73, label %79, label %74

74:
  %75 = load ptr, ptr %5, align 8
  %76 = load i8, ptr %75, align 1
  %77 = icmp ne i8 %76, 0
  br i1 %77, label %79, label %78

78:
  store i32 1, ptr %3, align 4
  br label %121

79:
  %80 = load i8, ptr %10, align 1
  %81 = load ptr, ptr %5, align 8
  %82 = load i8, ptr %81, align 1
  %83 = call i32 @fits(i8 noundef signext %80, i8 noundef signext %82)
  %84 = icmp ne i32 %83, 0
  br i1 %84, label %86, label %85

85:
  br label %108

86:
  %87 = load i8, ptr %11, align 1
  %88 = sext i8 %87 to i32
  %89 = icmp eq i32 %88, 42
  br i1 %89, label %94, label %90

90:
  %91 = load i8, ptr %11, align 1
  %92 = sext i8 %91 to i32
  %93 = icmp eq i32 %92, 43
  br i1 %93, label %94, label %99

94:
  %95 = load ptr, ptr %4, align 8
  %96 = load i32, ptr %9, align 4
  %97 = load i32, ptr %8, align 4
  %98 = call i32 @add_state(ptr noundef %95, i32 noundef %96, i32 noundef %97)
  store i32 %98, ptr %8, align 4
  br label %99

99:
  %100 = load ptr, ptr %4, align 8
  %101 = load i32, ptr %9, align 4
  %102 = add nsw i32 %101, 1
  %103 = load i8, ptr %11, align 1
  %104 = call i32 @is_repeat(i8 noundef signext %103)
  %105 = add nsw i32 %102, %104
  %106 = load i32, ptr %8, align 4
  %107 = call i32 @add_state(ptr noundef %100, i32 noundef %105, i32 noundef %106)
  store i32 %107, ptr %8, align 4
  br label %108

108:
  %109 = load i32, ptr %9, align 4
  %110 = add nsw i32 %109, 1
  store i32 %110, ptr %9, align 4
  br label %32, !llvm.loop !8

111:
  %112 = load ptr, ptr %5, align 8
  %113 = load i8, ptr %112, align 1
  %114 = icmp ne i8 %113, 0
  br i1 %114, label %116, label %115

115:
  store i32 0, ptr %3, align 4
  br label %121

116:
  %117 = load i32, ptr %8, align 4
  store i32 %117, ptr %7, align 4
  br label %118

118:
  %119 = load ptr, ptr %5, align 8
  %120 = getelementptr inbounds nuw i8, ptr %119, i32 1
  store ptr %120, ptr %5, align 8
  br label %23

121:
  %122 = load i32, ptr %3, align 4
  ret i32 %122
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %6

6:
  %7 = load i32, ptr %3, align 4
  %8 = icmp slt i32 %7, 8
  br i1 %8, label %9, label %51

9:
  store i32 0, ptr %4, align 4
  br label %10

10:
  %11 = load i32, ptr %4, align 4
  %12 = icmp slt i32 %11, 8
  br i1 %12, label %13, label %42

13:
  %14 = load i32, ptr %3, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [8 x ptr], ptr @main.patterns, i64 0, i64 %15
  %17 = load ptr, ptr %16, align 8
  %18 = load i32, ptr %4, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [8 x ptr], ptr @main.texts, i64 0, i64 %19
  %21 = load ptr, ptr %20, align 8
  %22 = call i32 @search(ptr noundef %17, ptr noundef %21)
  store i32 %22, ptr %5, align 4
  %23 = load i32, ptr %5, align 4
  %24 = load i32, ptr %3, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [8 x ptr], ptr @main.patterns, i64 0, i64 %25
  %27 = load ptr, ptr %26, align 8
  %28 = load i32, ptr %4, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [8 x ptr], ptr @main.texts, i64 0, i64 %29
  %31 = load ptr, ptr %30, align 8
  %32 = call i32 @search_by_states(ptr noundef %27, ptr noundef %31)
  %33 = icmp ne i32 %23, %32
  %34 = zext i1 %33 to i32
  %35 = load i32, ptr %2, align 4
  %36 = add nsw i32 %35, %34
  store i32 %36, ptr %2, align 4
  %37 = load i32, ptr %5, align 4
  %38 = call i32 (ptr, ...) @printf(ptr noundef @.str.16, i32 noundef %37)
  br label %39

39:
  %40 = load i32, ptr %4, align 4
  %41 = add nsw i32 %40, 1
  store i32 %41, ptr %4, align 4
  br label %10, !llvm.loop !9

42:
  %43 = load i32, ptr %3, align 4
  %44 = icmp slt i32 %43, 7
  %45 = zext i1 %44 to i64
  %46 = select i1 %44, ptr @.str.17, ptr @.str.18
  %47 = call i32 (ptr, ...) @printf(ptr noundef %46)
  br label %48

48:
  %49 = load i32, ptr %3, align 4
  %50 = add nsw i32 %49, 1
  store i32 %50, ptr %3, align 4
  br label %6, !llvm.loop !10

51:
  %52 = load i32, ptr %2, align 4
  %53 = call i32 (ptr, ...) @printf(ptr noundef @.str.19, i32 noundef %52)
  %54 = load i32, ptr %2, align 4
  ret i32 %54
}

declare dso_local i32 @printf(ptr noundef, ...) #1

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }


!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
!9 = distinct !{!9, !5}
!10 = distinct !{!10, !5}
