source_filename = "json.c"

%struct.figures = type { i32, i32, i32, i32 }

@at = internal global ptr null, align 8
@figures = internal global %struct.figures zeroinitializer, align 4
@.str = private unnamed_addr constant [5 x i8] c"true\00", align 1
@.str.1 = private unnamed_addr constant [6 x i8] c"false\00", align 1
@.str.2 = private unnamed_addr constant [5 x i8] c"null\00", align 1
@main.texts = internal constant [9 x ptr] [ptr @.str.3, ptr @.str.4, ptr @.str.5, ptr @.str.6, ptr @.str.7, ptr @.str.8, ptr @.str.9, ptr @.str.10, ptr @.str.11], align 16
@.str.3 = private unnamed_addr constant [88 x i8] c"{\22name\22: \22crc\22, \22sizes\22: [1, 22, -333], \22nested\22: {\22a\22: [[], {}, [true, false, null]]}}\00", align 1
@.str.4 = private unnamed_addr constant [11 x i8] c"[1, 2,, 3]\00", align 1
@.str.5 = private unnamed_addr constant [15 x i8] c"\22\\u00e9t\\\22e\\n\22\00", align 1
@.str.6 = private unnamed_addr constant [8 x i8] c"{\22a\22 1}\00", align 1
@.str.7 = private unnamed_addr constant [17 x i8] c"[[[[[[0.25]]]]]]\00", align 1
@.str.8 = private unnamed_addr constant [3 x i8] c"01\00", align 1
@.str.9 = private unnamed_addr constant [7 x i8] c"[\22open\00", align 1
@.str.10 = private unnamed_addr constant [4 x i8] c"tru\00", align 1
@.str.11 = private unnamed_addr constant [15 x i8] c" [ -7 , 8.5 ] \00", align 1
@main.expected = internal constant [9 x i32] [i32 1, i32 0, i32 1, i32 0, i32 1, i32 0, i32 0, i32 0, i32 1], align 16
@.str.12 = private unnamed_addr constant [16 x i8] c"%d %d %d %d %d\0A\00", align 1

define dso_local void @skip_blanks() #0 {
  br label %1

1:
  %2 = load ptr, ptr @at, align 8
  %3 = load i8, ptr %2, align 1
  %4 = sext i8 %3 to i32
  %5 = icmp eq i32 %4, 32
  br i1 %5, label %16, label %6

6:
  %7 = load ptr, ptr @at, align 8
  %8 = load i8, ptr %7, align 1
  %9 = sext i8 %8 to i32
  %10 = icmp eq i32 %9, 10
  br i1 %10, label %16, label %11

11:
  %12 = load ptr, ptr @at, align 8
  %13 = load i8, ptr %12, align 1
  %14 = sext i8 %13 to i32
  %15 = icmp eq i32 %14, 9
  br label %16

16:
  %17 = phi i1 [ true, %6 ], [ true, %1 ], [ %15, %11 ]
  br i1 %17, label %18, label %21

18:
  %19 = load ptr, ptr @at, align 8
  %20 = getelementptr inbounds nuw i8, ptr %19, i32 1
  store ptr %20, ptr @at, align 8
  br label %1, !llvm.loop !4

21:
  ret void
}

define dso_local i32 @is_digit(i8 noundef signext %0) #0 {
  %2 = alloca i8, align 1
  store i8 %0, ptr %2, align 1
  %3 = load i8, ptr %2, align 1
  %4 = sext i8 %3 to i32
  %5 = icmp sge i32 %4, 48
  br i1 %5, label %6, label %10

6:
  %7 = load i8, ptr %2, align 1
  %8 = sext i8 %7 to i32
  %9 = icmp sle i32 %8, 57
  br label %10

10:
  %11 = phi i1 [ false, %1 ], [ %9, %6 ]
  %12 = zext i1 %11 to i32
  ret i32 %12
}

define dso_local i32 @parse_word(ptr noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  br label %4

4:
  %5 = load ptr, ptr %3, align 8
  %6 = load i8, ptr %5, align 1
  %7 = icmp ne i8 %6, 0
  br i1 %7, label %8, label %22

8:
  %9 = load ptr, ptr @at, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i32 1
  store ptr %10, ptr @at, align 8
  %11 = load i8, ptr %9, align 1
  %12 = sext i8 %11 to i32
  %13 = load ptr, ptr %3, align 8
  %14 = load i8, ptr %13, align 1
  %15 = sext i8 %14 to i32
  %16 = icmp ne i32 %12, %15
  br i1 %16, label %17, label %18

17:
  store i32 0, ptr %2, align 4
  br label %23

18:
  br label %19

19:
  %20 = load ptr, ptr %3, align 8
  %21 = getelementptr inbounds nuw i8, ptr %20, i32 1
  store ptr %21, ptr %3, align 8
  br label %4, !llvm.loop !6

22:
  store i32 1, ptr %2, align 4
  br label %23

23:
  %24 = load i32, ptr %2, align 4
  ret i32 %24
}

define dso_local i32 @parse_string() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = load ptr, ptr @at, align 8
  %4 = getelementptr inbounds nuw i8, ptr %3, i32 1
  store ptr %4, ptr @at, align 8
  br label %5

5:
  %6 = load ptr, ptr @at, align 8
  %7 = load i8, ptr %6, align 1
  %8 = sext i8 %7 to i32
  %9 = icmp ne i32 %8, 34
  br i1 %9, label %10, label %79

10:
  %11 = load ptr, ptr @at, align 8
  %12 = load i8, ptr %11, align 1
  %13 = zext i8 %12 to i32
  %14 = icmp slt i32 %13, 32
  br i1 %14, label %15, label %16

15:
  store i32 0, ptr %1, align 4
  br label %82

16:
  %17 = load ptr, ptr @at, align 8
  %18 = load i8, ptr %17, align 1
  %19 = sext i8 %18 to i32
  %20 = icmp eq i32 %19, 92
  br i1 %20, label %21, label %73

21:
  %22 = load ptr, ptr @at, align 8
  %23 = getelementptr inbounds nuw i8, ptr %22, i32 1
  store ptr %23, ptr @at, align 8
  %24 = load ptr, ptr @at, align 8
  %25 = load i8, ptr %24, align 1
  %26 = sext i8 %25 to i32
  %27 = icmp eq i32 %26, 117
  br i1 %27, label %28, label %55

28:
  store i32 0, ptr %2, align 4
  br label %29

29:
  %30 = load i32, ptr %2, align 4
  %31 = icmp slt i32 %30, 4
  br i1 %31, label %32, label %54

32:
  %33 = load ptr, ptr @at, align 8
  %34 = getelementptr inbounds nuw i8, ptr %33, i32 1
  store ptr %34, ptr @at, align 8
  %35 = load ptr, ptr @at, align 8
  %36 = load i8, ptr %35, align 1
  %37 = call i32 @is_digit(i8 noundef signext %36)
  %38 = icmp ne i32 %37, 0
  br i1 %38, label %50, label %39

39:
  %40 = load ptr, ptr @at, align 8
  %41 = load i8, ptr %40, align 1
  %42 = sext i8 %41 to i32
  %43 = icmp sge i32 %42, 97
  br i1 %43, label %44, label %49

44:
  %45 = load ptr, ptr @at, align 8
  %46 = load i8, ptr %45, align 1
  %47 = sext i8 %46 to i32
  %48 = icmp sle i32 %47, 102
  br i1 %48, label %50, label %49

49:
  store i32 0, ptr %1, align 4
  br label %82

50:
  br label %51

51:
  %52 = load i32, ptr %2, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %2, align 4
  br label %29, !llvm.loop !7

54:
  br label %72

55:
  %56 = load ptr, ptr @at, align 8
  %57 = load i8, ptr %56, align 1
  %58 = sext i8 %57 to i32
  %59 = icmp ne i32 %58, 110
  br i1 %59, label %60, label %71

60:
  %61 = load ptr, ptr @at, align 8
  %62 = load i8, ptr %61, align 1
  %63 = sext i8 %62 to i32
  %64 = icmp ne i32 %63, 34
  br i1 %64, label %65, label %71

65:
  %66 = load ptr, ptr @at, align 8
  %67 = load i8, ptr %66, align 1
  %68 = sext i8 %67 to i32
  %69 = icmp ne i32 %68, 92
  br i1 %69, label %70, label %71

70:
  store i32 0, ptr %1, align 4
  br label %82

71:
  br label %72

72:
  br label %73

73:
  %74 = load i32, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 2), align 4
  %75 = add nsw i32 %74, 1
  store i32 %75, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 2), align 4
  br label %76

76:
  %77 = load ptr, ptr @at, align 8
  %78 = getelementptr inbounds nuw i8, ptr %77, i32 1
  store ptr %78, ptr @at, align 8
  br label %5, !llvm.loop !8

79:
  %80 = load ptr, ptr @at, align 8
  %81 = getelementptr inbounds nuw i8, ptr %80, i32 1
  store ptr %81, ptr @at, align 8
  store i32 1, ptr %1, align 4
  br label %82

82:
  %83 = load i32, ptr %1, align 4
  ret i32 %83
}

define dso_local i32 @parse_number() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 1, ptr %2, align 4
  store i32 0, ptr %3, align 4
  %4 = load ptr, ptr @at, align 8
  %5 = load i8, ptr %4, align 1
  %6 = sext i8 %5 to i32
  %7 = icmp eq i32 %6, 45
  br i1 %7, label %8, label %11

8:
  store i32 -1, ptr %2, align 4
  %9 = load ptr, ptr @at, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i32 1
  store ptr %10, ptr @at, align 8
  br label %11

11:
  %12 = load ptr, ptr @at, align 8
  %13 = load i8, ptr %12, align 1
  %14 = call i32 @is_digit(i8 noundef signext %13)
  %15 = icmp ne i32 %14, 0
  br i1 %15, label %16, label %27

16:
  %17 = load ptr, ptr @at, align 8
  %18 = load i8, ptr %17, align 1
  %19 = sext i8 %18 to i32
  %20 = icmp eq i32 %19, 48
  br i1 %20, label %21, label %28

21:
  %22 = load ptr, ptr @at, align 8
  %23 = getelementptr inbounds i8, ptr %22, i64 1
  %24 = load i8, ptr %23, align 1
  %25 = call i32 @is_digit(i8 noundef signext %24)
  %26 = icmp ne i32 %25, 0
  br i1 %26, label %27, label %28

27:
  store i32 0, ptr %1, align 4
  br label %77

28:
  br label %29

29:
  %30 = load ptr, ptr @at, align 8
  %31 = load i8, ptr %30, align 1
  %32 = call i32 @is_digit(i8 noundef signext %31)
  %33 = icmp ne i32 %32, 0
  br i1 %33, label %34, label %45

34:
  %35 = load i32, ptr %3, align 4
  %36 = mul nsw i32 %35, 10
  %37 = load ptr, ptr @at, align 8
  %38 = load i8, ptr %37, align 1
  %39 = sext i8 %38 to i32
  %40 = sub nsw i32 %39, 48
  %41 = add nsw i32 %36, %40
  store i32 %41, ptr %3, align 4
  br label %42

42:
  %43 = load ptr, ptr @at, align 8
  %44 = getelementptr inbounds nuw i8, ptr %43, i32 1
  store ptr %44, ptr @at, align 8
  br label %29, !llvm.loop !9

45:
  %46 = load i32, ptr %2, align 4
  %47 = load i32, ptr %3, align 4
  %48 = mul nsw i32 %46, %47
  %49 = load i32, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 3), align 4
  %50 = add nsw i32 %49, %48
  store i32 %50, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 3), align 4
  %51 = load ptr, ptr @at, align 8
  %52 = load i8, ptr %51, align 1
  %53 = sext i8 %52 to i32
  %54 = icmp eq i32 %53, 46
  br i1 %54, label %55, label %70

55:
  %56 = load ptr, ptr @at, align 8
  %57 = getelementptr inbounds nuw i8, ptr %56, i32 1
  store ptr %57, ptr @at, align 8
  br label %58

58:
  %59 = load ptr, ptr @at, align 8
  %60 = load i8, ptr %59, align 1
  %61 = call i32 @is_digit(i8 noundef signext %60)
  %62 = icmp ne i32 %61, 0
  br i1 %62, label %63, label %69

63:
  %64 = load i32, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 2), align 4
  %65 = add nsw i32 %64, 1
  store i32 %65, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 2), align 4
  br label %66

66:
  %67 = load ptr, ptr @at, align 8
  %68 = getelementptr inbounds nuw i8, ptr %67, i32 1
  store ptr %68, ptr @at, align 8
  br label %58, !llvm.loop !10

69:
  br label %70

70:
  %71 = load ptr, ptr @at, align 8
  %72 = getelementptr inbounds i8, ptr %71, i64 -1
  %73 = load i8, ptr %72, align 1
  %74 = sext i8 %73 to i32
  %75 = icmp ne i32 %74, 46
  %76 = zext i1 %75 to i32
  store i32 %76, ptr %1, align 4
  br label %77

77:
  %78 = load i32, ptr %1, align 4
  ret i32 %78
}

define dso_local i32 @parse_members(i8 noundef signext %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca i8, align 1
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i8, align 1
  store i8 %0, ptr %5, align 1
  store i32 %1, ptr %6, align 4
  store i32 %2, ptr %7, align 4
  %9 = load ptr, ptr @at, align 8
  %10 = getelementptr inbounds nuw i8, ptr %9, i32 1
  store ptr %10, ptr @at, align 8
  call void @skip_blanks()
  %11 = load ptr, ptr @at, align 8
  %12 = load i8, ptr %11, align 1
  %13 = sext i8 %12 to i32
  %14 = load i8, ptr %5, align 1
  %15 = sext i8 %14 to i32
  %16 = icmp eq i32 %13, %15
  br i1 %16, label %17, label %20

17:
  %18 = load ptr, ptr @at, align 8
  %19 = getelementptr inbounds nuw i8, ptr %18, i32 1
  store ptr %19, ptr @at, align 8
  store i32 1, ptr %4, align 4
  br label %62

20:
  br label %21

21:
  call void @skip_blanks()
  %22 = load i32, ptr %6, align 4
  %23 = icmp ne i32 %22, 0
  br i1 %23, label %24, label %41

24:
  %25 = load ptr, ptr @at, align 8
  %26 = load i8, ptr %25, align 1
  %27 = sext i8 %26 to i32
  %28 = icmp ne i32 %27, 34
  br i1 %28, label %32, label %29

29:
  %30 = call i32 @parse_string()
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %33, label %32

32:
  store i32 0, ptr %4, align 4
  br label %62

33:
  call void @skip_blanks()
  %34 = load ptr, ptr @at, align 8
  %35 = getelementptr inbounds nuw i8, ptr %34, i32 1
  store ptr %35, ptr @at, align 8
  %36 = load i8, ptr %34, align 1
  %37 = sext i8 %36 to i32
  %38 = icmp ne i32 %37, 58
  br i1 %38, label %39, label %40

39:
  store i32 0, ptr %4, align 4
  br label %62

40:
  br label %41

41:
  %42 = load i32, ptr %7, align 4
  %43 = call i32 @parse_value(i32 noundef %42)
  %44 = icmp ne i32 %43, 0
  br i1 %44, label %46, label %45

45:
  store i32 0, ptr %4, align 4
  br label %62

46:
  call void @skip_blanks()
  %47 = load ptr, ptr @at, align 8
  %48 = getelementptr inbounds nuw i8, ptr %47, i32 1
  store ptr %48, ptr @at, align 8
  %49 = load i8, ptr %47, align 1
  store i8 %49, ptr %8, align 1
  %50 = load i8, ptr %8, align 1
  %51 = sext i8 %50 to i32
  %52 = load i8, ptr %5, align 1
  %53 = sext i8 %52 to i32
  %54 = icmp eq i32 %51, %53
  br i1 %54, label %55, label %56

55:
  store i32 1, ptr %4, align 4
  br label %62

56:
  %57 = load i8, ptr %8, align 1
  %58 = sext i8 %57 to i32
  %59 = icmp ne i32 %58, 44
  br i1 %59, label %60, label %61

60:
  store i32 0, ptr %4, align 4
  br label %62

61:
  br label %21

62:
  %63 = load i32, ptr %4, align 4
  ret i32 %63
}

define dso_local i32 @parse_value(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  call void @skip_blanks()
  %4 = load i32, ptr @figures, align 4
  %5 = add nsw i32 %4, 1
  store i32 %5, ptr @figures, align 4
  %6 = load i32, ptr %3, align 4
  %7 = load i32, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 1), align 4
  %8 = icmp sgt i32 %6, %7
  br i1 %8, label %9, label %11

9:
  %10 = load i32, ptr %3, align 4
  store i32 %10, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 1), align 4
  br label %11

11:
  %12 = load ptr, ptr @at, align 8
  %13 = load i8, ptr %12, align 1
  %14 = sext i8 %13 to i32
  switch i32 %14, label %31 [
    i32 123, label %15
    i32 91, label %19
    i32 34, label %23
    i32 116, label %25
    i32 102, label %27
    i32 110, label %29
  ]

15:
  %16 = load i32, ptr %3, align 4
  %17 = add nsw i32 %16, 1
  %18 = call i32 @parse_members(i8 noundef signext 125, i32 noundef 1, i32 noundef %17)
  store i32 %18, ptr %2, align 4
  br label %33

19:
  %20 = load i32, ptr %3, align 4
  %21 = add nsw i32 %20, 1
  %22 = call i32 @parse_members(i8 noundef signext 93, i32 noundef 0, i32 noundef %21)
  store i32 %22, ptr %2, align 4
  br label %33

23:
  %24 = call i32 @parse_string()
  store i32 %24, ptr %2, align 4
  br label %33

25:
  %26 = call i32 @parse_word(ptr noundef @.str)
  store i32 %26, ptr %2, align 4
  br label %33

27:
  %28 = call i32 @parse_word(ptr noundef @.str.1)
  store i32 %28, ptr %2, align 4
  br label %33

29:
  %30 = call i32 @parse_word(ptr noundef @.str.2)
  store i32 %30, ptr %2, align 4
  br label %33

31:
  %32 = call i32 @parse_number()
  store i32 %32, ptr %2, align 4
  br label %33

33:
  %34 = load i32, ptr %2, align 4
  ret i32 %34
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca %struct.figures, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %6

6:
  %7 = load i32, ptr %3, align 4
  %8 = icmp slt i32 %7, 9
  br i1 %8, label %9, label %42

9:
  call void @llvm.memset.p0.i64(ptr align 4 %4, i8 0, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 @figures, ptr align 4 %4, i64 16, i1 false)
  %10 = load i32, ptr %3, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [9 x ptr], ptr @main.texts, i64 0, i64 %11
  %13 = load ptr, ptr %12, align 8
  store ptr %13, ptr @at, align 8
  %14 = call i32 @parse_value(i32 noundef 0)
  store i32 %14, ptr %5, align 4
  %15 = load i32, ptr %5, align 4
  %16 = icmp ne i32 %15, 0
  br i1 %16, label %17, label %23

17:
  call void @skip_blanks()
  %18 = load ptr, ptr @at, align 8
  %19 = load i8, ptr %18, align 1
  %20 = icmp ne i8 %19, 0
  %21 = xor i1 %20, true
  %22 = zext i1 %21 to i32
  store i32 %22, ptr %5, align 4
  br label %23

23:
  %24 = load i32, ptr %5, align 4
  %25 = load i32, ptr %3, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [9 x i32], ptr @main.expected, i64 0, i64 %26
  %28 = load i32, ptr %27, align 4
  %29 = icmp ne i32 %24, %28
  %30 = zext i1 %29 to i32
  %31 = load i32, ptr %2, align 4
  %32 = add nsw i32 %31, %30
  store i32 %32, ptr %2, align 4
  %33 = load i32, ptr %5, align 4
  %34 = load i32, ptr @figures, align 4
  %35 = load i32, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 1), align 4
  %36 = load i32, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 2), align 4
  %37 = load i32, ptr getelementptr inbounds nuw (%struct.figures, ptr @figures, i32 0, i32 3), align 4
  %38 = call i32 (ptr, ...) @printf(ptr noundef @.str.12, i32 noundef %33, i32 noundef %34, i32 noundef %35, i32 noundef %36, i32 noundef %37)
  br label %39

39:
  %40 = load i32, ptr %3, align 4
  %41 = add nsw i32 %40, 1
  store i32 %41, ptr %3, align 4
  br label %6, !llvm.loop !11

42:
  %43 = load i32, ptr %2, align 4
  ret i32 %43
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #2

declare dso_local i32 @printf(ptr noundef, ...) #3

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { nounwind }
attributes #2 = { nounwind }
attributes #3 = { "no-trapping-math"="true" }


!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
!9 = distinct !{!9, !5}
!10 = distinct !{!10, !5}
!11 = distinct !{!11, !5}
