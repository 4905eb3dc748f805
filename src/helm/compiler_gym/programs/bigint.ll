source_filename = "bigint.c"

%struct.number = type { i32, [40 x i32] }

@.str = private unnamed_addr constant [3 x i8] c"%d\00", align 1
@.str.1 = private unnamed_addr constant [5 x i8] c"%04d\00", align 1
@.str.2 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1

define dso_local void @set_small(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  %5 = load ptr, ptr %3, align 8
  %6 = getelementptr inbounds nuw %struct.number, ptr %5, i32 0, i32 0
  store i32 1, ptr %6, align 4
  %7 = load i32, ptr %4, align 4
  %8 = load ptr, ptr %3, align 8
  %9 = getelementptr inbounds nuw %struct.number, ptr %8, i32 0, i32 1
  %10 = getelementptr inbounds [40 x i32], ptr %9, i64 0, i64 0
  store i32 %7, ptr %10, align 4
  ret void
}

define dso_local void @multiply_small(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %8

8:
  %9 = load i32, ptr %6, align 4
  %10 = load ptr, ptr %3, align 8
  %11 = getelementptr inbounds nuw %struct.number, ptr %10, i32 0, i32 0
  %12 = load i32, ptr %11, align 4
  %13 = icmp slt i32 %9, %12
  br i1 %13, label %14, label %37

14:
  %15 = load ptr, ptr %3, align 8
  %16 = getelementptr inbounds nuw %struct.number, ptr %15, i32 0, i32 1
  %17 = load i32, ptr %6, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [40 x i32], ptr %16, i64 0, i64 %18
  %20 = load i32, ptr %19, align 4
  %21 = load i32, ptr %4, align 4
  %22 = mul nsw i32 %20, %21
  %23 = load i32, ptr %5, align 4
  %24 = add nsw i32 %22, %23
  store i32 %24, ptr %7, align 4
  %25 = load i32, ptr %7, align 4
  %26 = srem i32 %25, 10000
  %27 = load ptr, ptr %3, align 8
  %28 = getelementptr inbounds nuw %struct.number, ptr %27, i32 0, i32 1
  %29 = load i32, ptr %6, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [40 x i32], ptr %28, i64 0, i64 %30
  store i32 %26, ptr %31, align 4
  %32 = load i32, ptr %7, align 4
  %33 = sdiv i32 %32, 10000
  store i32 %33, ptr %5, align 4
  br label %34

34:
  %35 = load i32, ptr %6, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %6, align 4
  br label %8, !llvm.loop !4

37:
  br label %38

38:
  %39 = load i32, ptr %5, align 4
  %40 = icmp ne i32 %39, 0
  br i1 %40, label %41, label %54

41:
  %42 = load i32, ptr %5, align 4
  %43 = srem i32 %42, 10000
  %44 = load ptr, ptr %3, align 8
  %45 = getelementptr inbounds nuw %struct.number, ptr %44, i32 0, i32 1
  %46 = load ptr, ptr %3, align 8
  %47 = getelementptr inbounds nuw %struct.number, ptr %46, i32 0, i32 0
  %48 = load i32, ptr %47, align 4
  %49 = add nsw i32 %48, 1
  store i32 %49, ptr %47, align 4
  %50 = sext i32 %48 to i64
  %51 = getelementptr inbounds [40 x i32], ptr %45, i64 0, i64 %50
  store i32 %43, ptr %51, align 4
  %52 = load i32, ptr %5, align 4
  %53 = sdiv i32 %52, 10000
  store i32 %53, ptr %5, align 4
  br label %38, !llvm.loop !6

54:
  ret void
}

define dso_local void @add_number(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store i32 0, ptr %5, align 4
  %9 = load ptr, ptr %3, align 8
  %10 = getelementptr inbounds nuw %struct.number, ptr %9, i32 0, i32 0
  %11 = load i32, ptr %10, align 4
  %12 = load ptr, ptr %4, align 8
  %13 = getelementptr inbounds nuw %struct.number, ptr %12, i32 0, i32 0
  %14 = load i32, ptr %13, align 4
  %15 = icmp sgt i32 %11, %14
  br i1 %15, label %16, label %20

16:
  %17 = load ptr, ptr %3, align 8
  %18 = getelementptr inbounds nuw %struct.number, ptr %17, i32 0, i32 0
  %19 = load i32, ptr %18, align 4
  br label %24

20:
  %21 = load ptr, ptr %4, align 8
  %22 = getelementptr inbounds nuw %struct.number, ptr %21, i32 0, i32 0
  %23 = load i32, ptr %22, align 4
  br label %24

24:
  %25 = phi i32 [ %19, %16 ], [ %23, %20 ]
  store i32 %25, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %26

26:
  %27 = load i32, ptr %7, align 4
  %28 = load i32, ptr %6, align 4
  %29 = icmp slt i32 %27, %28
  br i1 %29, label %33, label %30

30:
  %31 = load i32, ptr %5, align 4
  %32 = icmp ne i32 %31, 0
  br label %33

33:
  %34 = phi i1 [ true, %26 ], [ %32, %30 ]
  br i1 %34, label %35, label %92

35:
  %36 = load i32, ptr %5, align 4
  %37 = load i32, ptr %7, align 4
  %38 = load ptr, ptr %3, align 8
  %39 = getelementptr inbounds nuw %struct.number, ptr %38, i32 0, i32 0
  %40 = load i32, ptr %39, align 4
  %41 = icmp slt i32 %37, %40
  br i1 %41, label %42, label %49

42:
  %43 = load ptr, ptr %3, align 8
  %44 = getelementptr inbounds nuw %struct.number, ptr %43, i32 0, i32 1
  %45 = load i32, ptr %7, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [40 x i32], ptr %44, i64 0, i64 %46
  %48 = load i32, ptr %47, align 4
  br label %50

49:
  br label %50

50:
  %51 = phi i32 [ %48, %42 ], [ 0, %49 ]
  %52 = add nsw i32 %36, %51
  %53 = load i32, ptr %7, align 4
  %54 = load ptr, ptr %4, align 8
  %55 = getelementptr inbounds nuw %struct.number, ptr %54, i32 0, i32 0
  %56 = load i32, ptr %55, align 4
  %57 = icmp slt i32 %53, %56
  br i1 %57, label %58, label %65

58:
  %59 = load ptr, ptr %4, align 8
  %60 = getelementptr inbounds nuw %struct.number, ptr %59, i32 0, i32 1
  %61 = load i32, ptr %7, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [40 x i32], ptr %60, i64 0, i64 %62
  %64 = load i32, ptr %63, align 4
  br label %66

65:
  br label %66

66:
  %67 = phi i32 [ %64, %58 ], [ 0, %65 ]
  %68 = add nsw i32 %52, %67
  store i32 %68, ptr %8, align 4
  %69 = load i32, ptr %7, align 4
  %70 = load ptr, ptr %3, align 8
  %71 = getelementptr inbounds nuw %struct.number, ptr %70, i32 0, i32 0
  %72 = load i32, ptr %71, align 4
  %73 = icmp sge i32 %69, %72
  br i1 %73, label %74, label %79

74:
  %75 = load i32, ptr %7, align 4
  %76 = add nsw i32 %75, 1
  %77 = load ptr, ptr %3, align 8
  %78 = getelementptr inbounds nuw %struct.number, ptr %77, i32 0, i32 0
  store i32 %76, ptr %78, align 4
  br label %79

79:
  %80 = load i32, ptr %8, align 4
  %81 = srem i32 %80, 10000
  %82 = load ptr, ptr %3, align 8
  %83 = getelementptr inbounds nuw %struct.number, ptr %82, i32 0, i32 1
  %84 = load i32, ptr %7, align 4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds [40 x i32], ptr %83, i64 0, i64 %85
  store i32 %81, ptr %86, align 4
  %87 = load i32, ptr %8, align 4
  %88 = sdiv i32 %87, 10000
  store i32 %88, ptr %5, align 4
  br label %89

89:
  %90 = load i32, ptr %7, align 4
  %91 = add nsw i32 %90, 1
  store i32 %91, ptr %7, align 4
  br label %26, !llvm.loop !7

92:
  ret void
}

define dso_local i32 @divide_small(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  %8 = load ptr, ptr %3, align 8
  %9 = getelementptr inbounds nuw %struct.number, ptr %8, i32 0, i32 0
  %10 = load i32, ptr %9, align 4
  %11 = sub nsw i32 %10, 1
  store i32 %11, ptr %6, align 4
  br label %12

12:
  %13 = load i32, ptr %6, align 4
  %14 = icmp sge i32 %13, 0
  br i1 %14, label %15, label %39

15:
  %16 = load i32, ptr %5, align 4
  %17 = mul nsw i32 %16, 10000
  %18 = load ptr, ptr %3, align 8
  %19 = getelementptr inbounds nuw %struct.number, ptr %18, i32 0, i32 1
  %20 = load i32, ptr %6, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [40 x i32], ptr %19, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4
  %24 = add nsw i32 %17, %23
  store i32 %24, ptr %7, align 4
  %25 = load i32, ptr %7, align 4
  %26 = load i32, ptr %4, align 4
  %27 = sdiv i32 %25, %26
  %28 = load ptr, ptr %3, align 8
  %29 = getelementptr inbounds nuw %struct.number, ptr %28, i32 0, i32 1
  %30 = load i32, ptr %6, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [40 x i32], ptr %29, i64 0, i64 %31
  store i32 %27, ptr %32, align 4
  %33 = load i32, ptr %7, align 4
  %34 = load i32, ptr %4, align 4
  %35 = srem i32 %33, %34
  store i32 %35, ptr %5, align 4
  br label %36

36:
  %37 = load i32, ptr %6, align 4
  %38 = add nsw i32 %37, -1
  store i32 %38, ptr %6, align 4
  br label %12, !llvm.loop !8

39:
  br label %40

40:
  %41 = load ptr, ptr %3, align 8
  %42 = getelementptr inbounds nuw %struct.number, ptr %41, i32 0, i32 0
  %43 = load i32, ptr %42, align 4
  %44 = icmp sgt i32 %43, 1
  br i1 %44, label %45, label %57

45:
  %46 = load ptr, ptr %3, align 8
  %47 = getelementptr inbounds nuw %struct.number, ptr %46, i32 0, i32 1
  %48 = load ptr, ptr %3, align 8
  %49 = getelementptr inbounds nuw %struct.number, ptr %48, i32 0, i32 0
  %50 = load i32, ptr %49, align 4
  %51 = sub nsw i32 %50, 1
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [40 x i32], ptr %47, i64 0, i64 %52
  %54 = load i32, ptr %53, align 4
  %55 = icmp ne i32 %54, 0
  %56 = xor i1 %55, true
  br label %57

57:
  %58 = phi i1 [ false, %40 ], [ %56, %45 ]
  br i1 %58, label %59, label %64

59:
  %60 = load ptr, ptr %3, align 8
  %61 = getelementptr inbounds nuw %struct.number, ptr %60, i32 0, i32 0
  %62 = load i32, ptr %61, align 4
  %63 = add nsw i32 %62, -1
  store i32 %63, ptr %61, align 4
  br label %40, !llvm.loop !9

64:
  %65 = load i32, ptr %5, align 4
  ret i32 %65
}

define dso_local void @print_number(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  %4 = load ptr, ptr %2, align 8
  %5 = getelementptr inbounds nuw %struct.number, ptr %4, i32 0, i32 1
  %6 = load ptr, ptr %2, align 8
  %7 = getelementptr inbounds nuw %struct.number, ptr %6, i32 0, i32 0
  %8 = load i32, ptr %7, align 4
  %9 = sub nsw i32 %8, 1
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [40 x i32], ptr %5, i64 0, i64 %10
  %12 = load i32, ptr %11, align 4
  %13 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %12)
  %14 = load ptr, ptr %2, align 8
  %15 = getelementptr inbounds nuw %struct.number, ptr %14, i32 0, i32 0
  %16 = load i32, ptr %15, align 4
  %17 = sub nsw i32 %16, 2
  store i32 %17, ptr %3, align 4
  br label %18

18:
  %19 = load i32, ptr %3, align 4
  %20 = icmp sge i32 %19, 0
  br i1 %20, label %21, label %32

21:
  %22 = load ptr, ptr %2, align 8
  %23 = getelementptr inbounds nuw %struct.number, ptr %22, i32 0, i32 1
  %24 = load i32, ptr %3, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [40 x i32], ptr %23, i64 0, i64 %25
  %27 = load i32, ptr %26, align 4
  %28 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, i32 noundef %27)
  br label %29

29:
  %30 = load i32, ptr %3, align 4
  %31 = add nsw i32 %30, -1
  store i32 %31, ptr %3, align 4
  br label %18, !llvm.loop !10

32:
  %33 = call i32 (ptr, ...) @printf(ptr noundef @.str.2)
  ret void
}

declare dso_local i32 @printf(ptr noundef, ...) #1

define dso_local void @print_pi(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca [211 x i32], align 16
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 1, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %14

14:
  %15 = load i32, ptr %7, align 4
  %16 = icmp slt i32 %15, 211
  br i1 %16, label %17, label %24

17:
  %18 = load i32, ptr %7, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [211 x i32], ptr %3, i64 0, i64 %19
  store i32 2, ptr %20, align 4
  br label %21

21:
  %22 = load i32, ptr %7, align 4
  %23 = add nsw i32 %22, 1
  store i32 %23, ptr %7, align 4
  br label %14, !llvm.loop !11

24:
  store i32 0, ptr %8, align 4
  br label %25

25:
  %26 = load i32, ptr %8, align 4
  %27 = load i32, ptr %2, align 4
  %28 = icmp sle i32 %26, %27
  br i1 %28, label %29, label %104

29:
  store i32 0, ptr %9, align 4
  store i32 210, ptr %10, align 4
  br label %30

30:
  %31 = load i32, ptr %10, align 4
  %32 = icmp sgt i32 %31, 0
  br i1 %32, label %33, label %59

33:
  %34 = load i32, ptr %10, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [211 x i32], ptr %3, i64 0, i64 %35
  %37 = load i32, ptr %36, align 4
  %38 = mul nsw i32 %37, 10
  %39 = load i32, ptr %9, align 4
  %40 = add nsw i32 %38, %39
  store i32 %40, ptr %11, align 4
  %41 = load i32, ptr %11, align 4
  %42 = load i32, ptr %10, align 4
  %43 = mul nsw i32 2, %42
  %44 = add nsw i32 %43, 1
  %45 = srem i32 %41, %44
  %46 = load i32, ptr %10, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [211 x i32], ptr %3, i64 0, i64 %47
  store i32 %45, ptr %48, align 4
  %49 = load i32, ptr %11, align 4
  %50 = load i32, ptr %10, align 4
  %51 = mul nsw i32 2, %50
  %52 = add nsw i32 %51, 1
  %53 = sdiv i32 %49, %52
  %54 = load i32, ptr %10, align 4
  %55 = mul nsw i32 %53, %54
  store i32 %55, ptr %9, align 4
  br label %56

56:
  %57 = load i32, ptr %10, align 4
  %58 = add nsw i32 %57, -1
  store i32 %58, ptr %10, align 4
  br label %30, !llvm.loop !12

59:
  %60 = getelementptr inbounds [211 x i32], ptr %3, i64 0, i64 0
  %61 = load i32, ptr %60, align 16
  %62 = mul nsw i32 %61, 10
  %63 = load i32, ptr %9, align 4
  %64 = add nsw i32 %62, %63
  store i32 %64, ptr %12, align 4
  %65 = load i32, ptr %12, align 4
  %66 = sdiv i32 %65, 10
  store i32 %66, ptr %13, align 4
  %67 = load i32, ptr %12, align 4
  %68 = srem i32 %67, 10
  %69 = getelementptr inbounds [211 x i32], ptr %3, i64 0, i64 0
  store i32 %68, ptr %69, align 16
  %70 = load i32, ptr %13, align 4
  %71 = icmp eq i32 %70, 9
  br i1 %71, label %72, label %75

72:
  %73 = load i32, ptr %5, align 4
  %74 = add nsw i32 %73, 1
  store i32 %74, ptr %5, align 4
  br label %101

75:
  %76 = load i32, ptr %6, align 4
  %77 = icmp ne i32 %76, 0
  br i1 %77, label %84, label %78

78:
  %79 = load i32, ptr %4, align 4
  %80 = load i32, ptr %13, align 4
  %81 = sdiv i32 %80, 10
  %82 = add nsw i32 %79, %81
  %83 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %82)
  br label %84

84:
  br label %85

85:
  %86 = load i32, ptr %5, align 4
  %87 = icmp ne i32 %86, 0
  br i1 %87, label %88, label %98

88:
  %89 = load i32, ptr %13, align 4
  %90 = sdiv i32 %89, 10
  %91 = icmp ne i32 %90, 0
  %92 = zext i1 %91 to i64
  %93 = select i1 %91, i32 0, i32 9
  %94 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %93)
  br label %95

95:
  %96 = load i32, ptr %5, align 4
  %97 = add nsw i32 %96, -1
  store i32 %97, ptr %5, align 4
  br label %85, !llvm.loop !13

98:
  %99 = load i32, ptr %13, align 4
  %100 = srem i32 %99, 10
  store i32 %100, ptr %4, align 4
  store i32 0, ptr %6, align 4
  br label %101

101:
  %102 = load i32, ptr %8, align 4
  %103 = add nsw i32 %102, 1
  store i32 %103, ptr %8, align 4
  br label %25, !llvm.loop !14

104:
  %105 = call i32 (ptr, ...) @printf(ptr noundef @.str.2)
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca %struct.number, align 4
  %3 = alloca %struct.number, align 4
  %4 = alloca %struct.number, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %5, align 4
  call void @set_small(ptr noundef %2, i32 noundef 1)
  store i32 2, ptr %6, align 4
  br label %9

9:
  %10 = load i32, ptr %6, align 4
  %11 = icmp sle i32 %10, 50
  br i1 %11, label %12, label %17

12:
  %13 = load i32, ptr %6, align 4
  call void @multiply_small(ptr noundef %2, i32 noundef %13)
  br label %14

14:
  %15 = load i32, ptr %6, align 4
  %16 = add nsw i32 %15, 1
  store i32 %16, ptr %6, align 4
  br label %9, !llvm.loop !15

17:
  call void @print_number(ptr noundef %2)
  call void @set_small(ptr noundef %3, i32 noundef 0)
  call void @set_small(ptr noundef %4, i32 noundef 1)
  store i32 0, ptr %7, align 4
  br label %18

18:
  %19 = load i32, ptr %7, align 4
  %20 = icmp slt i32 %19, 150
  br i1 %20, label %21, label %25

21:
  call void @add_number(ptr noundef %3, ptr noundef %4)
  call void @add_number(ptr noundef %4, ptr noundef %3)
  br label %22

22:
  %23 = load i32, ptr %7, align 4
  %24 = add nsw i32 %23, 1
  store i32 %24, ptr %7, align 4
  br label %18, !llvm.loop !16

25:
  call void @print_number(ptr noundef %3)
  store i32 50, ptr %8, align 4
  br label %26

26:
  %27 = load i32, ptr %8, align 4
  %28 = icmp sge i32 %27, 2
  br i1 %28, label %29, label %39

29:
  %30 = load i32, ptr %8, align 4
  %31 = call i32 @divide_small(ptr noundef %2, i32 noundef %30)
  %32 = icmp ne i32 %31, 0
  %33 = zext i1 %32 to i32
  %34 = load i32, ptr %5, align 4
  %35 = add nsw i32 %34, %33
  store i32 %35, ptr %5, align 4
  br label %36

36:
  %37 = load i32, ptr %8, align 4
  %38 = add nsw i32 %37, -1
  store i32 %38, ptr %8, align 4
  br label %26, !llvm.loop !17

39:
  %40 = getelementptr inbounds nuw %struct.number, ptr %2, i32 0, i32 0
  %41 = load i32, ptr %40, align 4
  %42 = icmp ne i32 %41, 1
  br i1 %42, label %48, label %43

43:
  %44 = getelementptr inbounds nuw %struct.number, ptr %2, i32 0, i32 1
  %45 = getelementptr inbounds [40 x i32], ptr %44, i64 0, i64 0
  %46 = load i32, ptr %45, align 4
  %47 = icmp ne i32 %46, 1
  br label %48

48:
  %49 = phi i1 [ true, %39 ], [ %47, %43 ]
  %50 = zext i1 %49 to i32
  %51 = load i32, ptr %5, align 4
  %52 = add nsw i32 %51, %50
  store i32 %52, ptr %5, align 4
  call void @print_pi(i32 noundef 60)
  %53 = load i32, ptr %5, align 4
  ret i32 %53
}

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
