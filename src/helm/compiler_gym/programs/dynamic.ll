source_filename = "dynamic.c"

@best = internal global [201 x i32] zeroinitializer, align 16
@table = internal global [40 x [40 x i32]] zeroinitializer, align 16
@ways = internal global [101 x i32] zeroinitializer, align 16
@main.coins = internal constant [5 x i32] [i32 1, i32 5, i32 10, i32 25, i32 50], align 16
@.str = private unnamed_addr constant [18 x i8] c"kitten on the mat\00", align 1
@.str.1 = private unnamed_addr constant [17 x i8] c"sitting in a hat\00", align 1
@.str.2 = private unnamed_addr constant [13 x i8] c"AGGTABTTGACA\00", align 1
@.str.3 = private unnamed_addr constant [15 x i8] c"GXTXAYBGATTACA\00", align 1
@.str.4 = private unnamed_addr constant [16 x i8] c"%d %d %d %d %d\0A\00", align 1
@.str.5 = private unnamed_addr constant [7 x i8] c"kitten\00", align 1
@.str.6 = private unnamed_addr constant [8 x i8] c"sitting\00", align 1
@.str.7 = private unnamed_addr constant [7 x i8] c"AGGTAB\00", align 1
@.str.8 = private unnamed_addr constant [8 x i8] c"GXTXAYB\00", align 1

define dso_local i32 @max(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %3, align 4
  %6 = load i32, ptr %4, align 4
  %7 = icmp sgt i32 %5, %6
  br i1 %7, label %8, label %10

8:
  %9 = load i32, ptr %3, align 4
  br label %12

10:
  %11 = load i32, ptr %4, align 4
  br label %12

12:
  %13 = phi i32 [ %9, %8 ], [ %11, %10 ]
  ret i32 %13
}

define dso_local i32 @min(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %3, align 4
  %6 = load i32, ptr %4, align 4
  %7 = icmp slt i32 %5, %6
  br i1 %7, label %8, label %10

8:
  %9 = load i32, ptr %3, align 4
  br label %12

10:
  %11 = load i32, ptr %4, align 4
  br label %12

12:
  %13 = phi i32 [ %9, %8 ], [ %11, %10 ]
  ret i32 %13
}

define dso_local i32 @length_of(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load ptr, ptr %2, align 8
  %6 = load i32, ptr %3, align 4
  %7 = sext i32 %6 to i64
  %8 = getelementptr inbounds i8, ptr %5, i64 %7
  %9 = load i8, ptr %8, align 1
  %10 = icmp ne i8 %9, 0
  br i1 %10, label %11, label %14

11:
  %12 = load i32, ptr %3, align 4
  %13 = add nsw i32 %12, 1
  store i32 %13, ptr %3, align 4
  br label %4, !llvm.loop !4

14:
  %15 = load i32, ptr %3, align 4
  ret i32 %15
}

define dso_local i32 @pack_knapsack(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %9

9:
  %10 = load i32, ptr %7, align 4
  %11 = load i32, ptr %6, align 4
  %12 = icmp slt i32 %10, %11
  br i1 %12, label %13, label %54

13:
  store i32 200, ptr %8, align 4
  br label %14

14:
  %15 = load i32, ptr %8, align 4
  %16 = load ptr, ptr %4, align 8
  %17 = load i32, ptr %7, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds i32, ptr %16, i64 %18
  %20 = load i32, ptr %19, align 4
  %21 = icmp sge i32 %15, %20
  br i1 %21, label %22, label %50

22:
  %23 = load i32, ptr %8, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [201 x i32], ptr @best, i64 0, i64 %24
  %26 = load i32, ptr %25, align 4
  %27 = load i32, ptr %8, align 4
  %28 = load ptr, ptr %4, align 8
  %29 = load i32, ptr %7, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds i32, ptr %28, i64 %30
  %32 = load i32, ptr %31, align 4
  %33 = sub nsw i32 %27, %32
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [201 x i32], ptr @best, i64 0, i64 %34
  %36 = load i32, ptr %35, align 4
  %37 = load ptr, ptr %5, align 8
  %38 = load i32, ptr %7, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds i32, ptr %37, i64 %39
  %41 = load i32, ptr %40, align 4
  %42 = add nsw i32 %36, %41
  %43 = call i32 @max(i32 noundef %26, i32 noundef %42)
  %44 = load i32, ptr %8, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [201 x i32], ptr @best, i64 0, i64 %45
  store i32 %43, ptr %46, align 4
  br label %47

47:
  %48 = load i32, ptr %8, align 4
  %49 = add nsw i32 %48, -1
  store i32 %49, ptr %8, align 4
  br label %14, !llvm.loop !6

50:
  br label %51

51:
  %52 = load i32, ptr %7, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %7, align 4
  br label %9, !llvm.loop !7

54:
  %55 = load i32, ptr getelementptr inbounds ([201 x i32], ptr @best, i64 0, i64 200), align 16
  ret i32 %55
}

define dso_local i32 @edit_distance(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %9 = load ptr, ptr %3, align 8
  %10 = call i32 @length_of(ptr noundef %9)
  store i32 %10, ptr %5, align 4
  %11 = load ptr, ptr %4, align 8
  %12 = call i32 @length_of(ptr noundef %11)
  store i32 %12, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %13

13:
  %14 = load i32, ptr %7, align 4
  %15 = load i32, ptr %5, align 4
  %16 = icmp sle i32 %14, %15
  br i1 %16, label %17, label %98

17:
  store i32 0, ptr %8, align 4
  br label %18

18:
  %19 = load i32, ptr %8, align 4
  %20 = load i32, ptr %6, align 4
  %21 = icmp sle i32 %19, %20
  br i1 %21, label %22, label %94

22:
  %23 = load i32, ptr %7, align 4
  %24 = icmp ne i32 %23, 0
  br i1 %24, label %25, label %28

25:
  %26 = load i32, ptr %8, align 4
  %27 = icmp ne i32 %26, 0
  br i1 %27, label %38, label %28

28:
  %29 = load i32, ptr %7, align 4
  %30 = load i32, ptr %8, align 4
  %31 = add nsw i32 %29, %30
  %32 = load i32, ptr %7, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %33
  %35 = load i32, ptr %8, align 4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [40 x i32], ptr %34, i64 0, i64 %36
  store i32 %31, ptr %37, align 4
  br label %90

38:
  %39 = load i32, ptr %7, align 4
  %40 = sub nsw i32 %39, 1
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %41
  %43 = load i32, ptr %8, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [40 x i32], ptr %42, i64 0, i64 %44
  %46 = load i32, ptr %45, align 4
  %47 = load i32, ptr %7, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %48
  %50 = load i32, ptr %8, align 4
  %51 = sub nsw i32 %50, 1
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [40 x i32], ptr %49, i64 0, i64 %52
  %54 = load i32, ptr %53, align 4
  %55 = call i32 @min(i32 noundef %46, i32 noundef %54)
  %56 = add nsw i32 %55, 1
  %57 = load i32, ptr %7, align 4
  %58 = sub nsw i32 %57, 1
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %59
  %61 = load i32, ptr %8, align 4
  %62 = sub nsw i32 %61, 1
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [40 x i32], ptr %60, i64 0, i64 %63
  %65 = load i32, ptr %64, align 4
  %66 = load ptr, ptr %3, align 8
  %67 = load i32, ptr %7, align 4
  %68 = sub nsw i32 %67, 1
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds i8, ptr %66, i64 %69
  %71 = load i8, ptr %70, align 1
  %72 = sext i8 %71 to i32
  %73 = load ptr, ptr %4, align 8
  %74 = load i32, ptr %8, align 4
  %75 = sub nsw i32 %74, 1
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds i8, ptr %73, i64 %76
  %78 = load i8, ptr %77, align 1
  %79 = sext i8 %78 to i32
  %80 = icmp ne i32 %72, %79
  %81 = zext i1 %80 to i32
  %82 = add nsw i32 %65, %81
  %83 = call i32 @min(i32 noundef %56, i32 noundef %82)
  %84 = load i32, ptr %7, align 4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %85
  %87 = load i32, ptr %8, align 4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [40 x i32], ptr %86, i64 0, i64 %88
  store i32 %83, ptr %89, align 4
  br label %90

90:
  br label %91

91:
  %92 = load i32, ptr %8, align 4
  %93 = add nsw i32 %92, 1
  store i32 %93, ptr %8, align 4
  br label %18, !llvm.loop !8

94:
  br label %95

95:
  %96 = load i32, ptr %7, align 4
  %97 = add nsw i32 %96, 1
  store i32 %97, ptr %7, align 4
  br label %13, !llvm.loop !9

98:
  %99 = load i32, ptr %5, align 4
  %100 = sext i32 %99 to i64
  %101 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %100
  %102 = load i32, ptr %6, align 4
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds [40 x i32], ptr %101, i64 0, i64 %103
  %105 = load i32, ptr %104, align 4
  ret i32 %105
}

define dso_local i32 @common_length(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %9 = load ptr, ptr %3, align 8
  %10 = call i32 @length_of(ptr noundef %9)
  store i32 %10, ptr %5, align 4
  %11 = load ptr, ptr %4, align 8
  %12 = call i32 @length_of(ptr noundef %11)
  store i32 %12, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %13

13:
  %14 = load i32, ptr %7, align 4
  %15 = load i32, ptr %5, align 4
  %16 = icmp sle i32 %14, %15
  br i1 %16, label %17, label %96

17:
  store i32 0, ptr %8, align 4
  br label %18

18:
  %19 = load i32, ptr %8, align 4
  %20 = load i32, ptr %6, align 4
  %21 = icmp sle i32 %19, %20
  br i1 %21, label %22, label %92

22:
  %23 = load i32, ptr %7, align 4
  %24 = icmp ne i32 %23, 0
  br i1 %24, label %25, label %28

25:
  %26 = load i32, ptr %8, align 4
  %27 = icmp ne i32 %26, 0
  br i1 %27, label %35, label %28

28:
  %29 = load i32, ptr %7, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %30
  %32 = load i32, ptr %8, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [40 x i32], ptr %31, i64 0, i64 %33
  store i32 0, ptr %34, align 4
  br label %88

35:
  %36 = load ptr, ptr %3, align 8
  %37 = load i32, ptr %7, align 4
  %38 = sub nsw i32 %37, 1
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds i8, ptr %36, i64 %39
  %41 = load i8, ptr %40, align 1
  %42 = sext i8 %41 to i32
  %43 = load ptr, ptr %4, align 8
  %44 = load i32, ptr %8, align 4
  %45 = sub nsw i32 %44, 1
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds i8, ptr %43, i64 %46
  %48 = load i8, ptr %47, align 1
  %49 = sext i8 %48 to i32
  %50 = icmp eq i32 %42, %49
  br i1 %50, label %51, label %62

51:
  %52 = load i32, ptr %7, align 4
  %53 = sub nsw i32 %52, 1
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %54
  %56 = load i32, ptr %8, align 4
  %57 = sub nsw i32 %56, 1
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [40 x i32], ptr %55, i64 0, i64 %58
  %60 = load i32, ptr %59, align 4
  %61 = add nsw i32 %60, 1
  br label %80

62:
  %63 = load i32, ptr %7, align 4
  %64 = sub nsw i32 %63, 1
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %65
  %67 = load i32, ptr %8, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [40 x i32], ptr %66, i64 0, i64 %68
  %70 = load i32, ptr %69, align 4
  %71 = load i32, ptr %7, align 4
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %72
  %74 = load i32, ptr %8, align 4
  %75 = sub nsw i32 %74, 1
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds [40 x i32], ptr %73, i64 0, i64 %76
  %78 = load i32, ptr %77, align 4
  %79 = call i32 @max(i32 noundef %70, i32 noundef %78)
  br label %80

80:
  %81 = phi i32 [ %61, %51 ], [ %79, %62 ]
  %82 = load i32, ptr %7, align 4
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %83
  %85 = load i32, ptr %8, align 4
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds [40 x i32], ptr %84, i64 0, i64 %86
  store i32 %81, ptr %87, align 4
  br label %88

88:
  br label %89

89:
  %90 = load i32, ptr %8, align 4
  %91 = add nsw i32 %90, 1
  store i32 %91, ptr %8, align 4
  br label %18, !llvm.loop !10

92:
  br label %93

93:
  %94 = load i32, ptr %7, align 4
  %95 = add nsw i32 %94, 1
  store i32 %95, ptr %7, align 4
  br label %13, !llvm.loop !11

96:
  %97 = load i32, ptr %5, align 4
  %98 = sext i32 %97 to i64
  %99 = getelementptr inbounds [40 x [40 x i32]], ptr @table, i64 0, i64 %98
  %100 = load i32, ptr %6, align 4
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds [40 x i32], ptr %99, i64 0, i64 %101
  %103 = load i32, ptr %102, align 4
  ret i32 %103
}

define dso_local i32 @rising_length(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca [64 x i32], align 16
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %11

11:
  %12 = load i32, ptr %7, align 4
  %13 = load i32, ptr %4, align 4
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %58

15:
  store i32 0, ptr %8, align 4
  %16 = load i32, ptr %6, align 4
  store i32 %16, ptr %9, align 4
  br label %17

17:
  %18 = load i32, ptr %8, align 4
  %19 = load i32, ptr %9, align 4
  %20 = icmp slt i32 %18, %19
  br i1 %20, label %21, label %42

21:
  %22 = load i32, ptr %8, align 4
  %23 = load i32, ptr %9, align 4
  %24 = add nsw i32 %22, %23
  %25 = sdiv i32 %24, 2
  store i32 %25, ptr %10, align 4
  %26 = load i32, ptr %10, align 4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [64 x i32], ptr %5, i64 0, i64 %27
  %29 = load i32, ptr %28, align 4
  %30 = load ptr, ptr %3, align 8
  %31 = load i32, ptr %7, align 4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds i32, ptr %30, i64 %32
  %34 = load i32, ptr %33, align 4
  %35 = icmp slt i32 %29, %34
  br i1 %35, label %36, label %39

36:
  %37 = load i32, ptr %10, align 4
  %38 = add nsw i32 %37, 1
  store i32 %38, ptr %8, align 4
  br label %41

39:
  %40 = load i32, ptr %10, align 4
  store i32 %40, ptr %9, align 4
  br label %41

41:
  br label %17, !llvm.loop !12

42:
  %43 = load ptr, ptr %3, align 8
  %44 = load i32, ptr %7, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds i32, ptr %43, i64 %45
  %47 = load i32, ptr %46, align 4
  %48 = load i32, ptr %8, align 4
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [64 x i32], ptr %5, i64 0, i64 %49
  store i32 %47, ptr %50, align 4
  %51 = load i32, ptr %6, align 4
  %52 = load i32, ptr %8, align 4
  %53 = add nsw i32 %52, 1
  %54 = call i32 @max(i32 noundef %51, i32 noundef %53)
  store i32 %54, ptr %6, align 4
  br label %55

55:
  %56 = load i32, ptr %7, align 4
  %57 = add nsw i32 %56, 1
  store i32 %57, ptr %7, align 4
  br label %11, !llvm.loop !13

58:
  %59 = load i32, ptr %6, align 4
  ret i32 %59
}

define dso_local i32 @count_change(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 1, ptr @ways, align 16
  store i32 0, ptr %5, align 4
  br label %7

7:
  %8 = load i32, ptr %5, align 4
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %8, %9
  br i1 %10, label %11, label %43

11:
  %12 = load ptr, ptr %3, align 8
  %13 = load i32, ptr %5, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds i32, ptr %12, i64 %14
  %16 = load i32, ptr %15, align 4
  store i32 %16, ptr %6, align 4
  br label %17

17:
  %18 = load i32, ptr %6, align 4
  %19 = icmp sle i32 %18, 100
  br i1 %19, label %20, label %39

20:
  %21 = load i32, ptr %6, align 4
  %22 = load ptr, ptr %3, align 8
  %23 = load i32, ptr %5, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  %26 = load i32, ptr %25, align 4
  %27 = sub nsw i32 %21, %26
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [101 x i32], ptr @ways, i64 0, i64 %28
  %30 = load i32, ptr %29, align 4
  %31 = load i32, ptr %6, align 4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [101 x i32], ptr @ways, i64 0, i64 %32
  %34 = load i32, ptr %33, align 4
  %35 = add nsw i32 %34, %30
  store i32 %35, ptr %33, align 4
  br label %36

36:
  %37 = load i32, ptr %6, align 4
  %38 = add nsw i32 %37, 1
  store i32 %38, ptr %6, align 4
  br label %17, !llvm.loop !14

39:
  br label %40

40:
  %41 = load i32, ptr %5, align 4
  %42 = add nsw i32 %41, 1
  store i32 %42, ptr %5, align 4
  br label %7, !llvm.loop !15

43:
  %44 = load i32, ptr getelementptr inbounds ([101 x i32], ptr @ways, i64 0, i64 100), align 16
  ret i32 %44
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [30 x i32], align 16
  %3 = alloca [30 x i32], align 16
  %4 = alloca [60 x i32], align 16
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %5, align 4
  br label %10

10:
  %11 = load i32, ptr %5, align 4
  %12 = icmp slt i32 %11, 30
  br i1 %12, label %13, label %31

13:
  %14 = load i32, ptr %5, align 4
  %15 = mul nsw i32 %14, 13
  %16 = srem i32 %15, 37
  %17 = add nsw i32 %16, 5
  %18 = load i32, ptr %5, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [30 x i32], ptr %2, i64 0, i64 %19
  store i32 %17, ptr %20, align 4
  %21 = load i32, ptr %5, align 4
  %22 = mul nsw i32 %21, 29
  %23 = srem i32 %22, 53
  %24 = add nsw i32 %23, 10
  %25 = load i32, ptr %5, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [30 x i32], ptr %3, i64 0, i64 %26
  store i32 %24, ptr %27, align 4
  br label %28

28:
  %29 = load i32, ptr %5, align 4
  %30 = add nsw i32 %29, 1
  store i32 %30, ptr %5, align 4
  br label %10, !llvm.loop !16

31:
  store i32 0, ptr %6, align 4
  br label %32

32:
  %33 = load i32, ptr %6, align 4
  %34 = icmp slt i32 %33, 60
  br i1 %34, label %35, label %45

35:
  %36 = load i32, ptr %6, align 4
  %37 = mul nsw i32 %36, 41
  %38 = srem i32 %37, 61
  %39 = load i32, ptr %6, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [60 x i32], ptr %4, i64 0, i64 %40
  store i32 %38, ptr %41, align 4
  br label %42

42:
  %43 = load i32, ptr %6, align 4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %6, align 4
  br label %32, !llvm.loop !17

45:
  %46 = call i32 @edit_distance(ptr noundef @.str, ptr noundef @.str.1)
  store i32 %46, ptr %7, align 4
  %47 = call i32 @count_change(ptr noundef @main.coins, i32 noundef 5)
  store i32 %47, ptr %8, align 4
  %48 = call i32 @common_length(ptr noundef @.str.2, ptr noundef @.str.3)
  store i32 %48, ptr %9, align 4
  %49 = getelementptr inbounds [30 x i32], ptr %2, i64 0, i64 0
  %50 = getelementptr inbounds [30 x i32], ptr %3, i64 0, i64 0
  %51 = call i32 @pack_knapsack(ptr noundef %49, ptr noundef %50, i32 noundef 30)
  %52 = load i32, ptr %7, align 4
  %53 = load i32, ptr %9, align 4
  %54 = getelementptr inbounds [60 x i32], ptr %4, i64 0, i64 0
  %55 = call i32 @rising_length(ptr noundef %54, i32 noundef 60)
  %56 = load i32, ptr %8, align 4
  %57 = call i32 (ptr, ...) @printf(ptr noundef @.str.4, i32 noundef %51, i32 noundef %52, i32 noundef %53, i32 noundef %55, i32 noundef %56)
  %58 = load i32, ptr %8, align 4
  %59 = icmp ne i32 %58, 292
  br i1 %59, label %66, label %60

60:
  %61 = call i32 @edit_distance(ptr noundef @.str.5, ptr noundef @.str.6)
  %62 = icmp ne i32 %61, 3
  br i1 %62, label %66, label %63

63:
  %64 = call i32 @common_length(ptr noundef @.str.7, ptr noundef @.str.8)
  %65 = icmp ne i32 %64, 4
  br label %66

66:
  %67 = phi i1 [ true, %60 ], [ true, %45 ], [ %65, %63 ]
  %68 = zext i1 %67 to i32
  ret i32 %68
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
!11 = distinct !{!11, !5}
!12 = distinct !{!12, !5}
!13 = distinct !{!13, !5}
!14 = distinct !{!14, !5}
!15 = distinct !{!15, !5}
!16 = distinct !{!16, !5}
!17 = distinct !{!17, !5}
