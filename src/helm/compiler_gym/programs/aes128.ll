source_filename = "aes128.c"

@box = internal global [256 x i8] zeroinitializer, align 16
@inverse = internal global [256 x i8] zeroinitializer, align 16
@round_keys = internal global [176 x i8] zeroinitializer, align 16
@main.expected = internal constant [16 x i8] c"i\C4\E0\D8j{\040\D8\CD\B7\80p\B4\C5Z", align 16
@.str = private unnamed_addr constant [5 x i8] c"%02x\00", align 1
@.str.1 = private unnamed_addr constant [5 x i8] c" %d\0A\00", align 1

define dso_local zeroext i8 @times_two(i8 noundef zeroext %0) #0 {
  %2 = alloca i8, align 1
  store i8 %0, ptr %2, align 1
  %3 = load i8, ptr %2, align 1
  %4 = zext i8 %3 to i32
  %5 = shl i32 %4, 1
  %6 = load i8, ptr %2, align 1
  %7 = zext i8 %6 to i32
  %8 = and i32 %7, 128
  %9 = icmp ne i32 %8, 0
  %10 = zext i1 %9 to i64
  %11 = select i1 %9, i32 27, i32 0
  %12 = xor i32 %5, %11
  %13 = trunc i32 %12 to i8
  ret i8 %13
}

define dso_local zeroext i8 @multiply(i8 noundef zeroext %0, i8 noundef zeroext %1) #0 {
  %3 = alloca i8, align 1
  %4 = alloca i8, align 1
  %5 = alloca i8, align 1
  store i8 %0, ptr %3, align 1
  store i8 %1, ptr %4, align 1
  store i8 0, ptr %5, align 1
  br label %6

6:
  %7 = load i8, ptr %4, align 1
  %8 = icmp ne i8 %7, 0
  br i1 %8, label %9, label %29

9:
  %10 = load i8, ptr %4, align 1
  %11 = zext i8 %10 to i32
  %12 = and i32 %11, 1
  %13 = icmp ne i32 %12, 0
  br i1 %13, label %14, label %21

14:
  %15 = load i8, ptr %3, align 1
  %16 = zext i8 %15 to i32
  %17 = load i8, ptr %5, align 1
  %18 = zext i8 %17 to i32
  %19 = xor i32 %18, %16
  %20 = trunc i32 %19 to i8
  store i8 %20, ptr %5, align 1
  br label %21

21:
  br label %22

22:
  %23 = load i8, ptr %4, align 1
  %24 = zext i8 %23 to i32
  %25 = ashr i32 %24, 1
  %26 = trunc i32 %25 to i8
  store i8 %26, ptr %4, align 1
  %27 = load i8, ptr %3, align 1
  %28 = call zeroext i8 @times_two(i8 noundef zeroext %27)
  store i8 %28, ptr %3, align 1
  br label %6, !llvm.loop !4

29:
  %30 = load i8, ptr %5, align 1
  ret i8 %30
}

define dso_local void @make_boxes() #0 {
  %1 = alloca i8, align 1
  %2 = alloca i8, align 1
  %3 = alloca i8, align 1
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i8 1, ptr %1, align 1
  store i8 1, ptr %2, align 1
  br label %6

6:
  %7 = load i8, ptr %1, align 1
  %8 = zext i8 %7 to i32
  %9 = load i8, ptr %1, align 1
  %10 = call zeroext i8 @times_two(i8 noundef zeroext %9)
  %11 = zext i8 %10 to i32
  %12 = xor i32 %8, %11
  %13 = trunc i32 %12 to i8
  store i8 %13, ptr %1, align 1
  %14 = load i8, ptr %2, align 1
  %15 = zext i8 %14 to i32
  %16 = shl i32 %15, 1
  %17 = trunc i32 %16 to i8
  %18 = zext i8 %17 to i32
  %19 = load i8, ptr %2, align 1
  %20 = zext i8 %19 to i32
  %21 = xor i32 %20, %18
  %22 = trunc i32 %21 to i8
  store i8 %22, ptr %2, align 1
  %23 = load i8, ptr %2, align 1
  %24 = zext i8 %23 to i32
  %25 = shl i32 %24, 2
  %26 = trunc i32 %25 to i8
  %27 = zext i8 %26 to i32
  %28 = load i8, ptr %2, align 1
  %29 = zext i8 %28 to i32
  %30 = xor i32 %29, %27
  %31 = trunc i32 %30 to i8
  store i8 %31, ptr %2, align 1
  %32 = load i8, ptr %2, align 1
  %33 = zext i8 %32 to i32
  %34 = shl i32 %33, 4
  %35 = trunc i32 %34 to i8
  %36 = zext i8 %35 to i32
  %37 = load i8, ptr %2, align 1
  %38 = zext i8 %37 to i32
  %39 = xor i32 %38, %36
  %40 = trunc i32 %39 to i8
  store i8 %40, ptr %2, align 1
  %41 = load i8, ptr %2, align 1
  %42 = zext i8 %41 to i32
  %43 = and i32 %42, 128
  %44 = icmp ne i32 %43, 0
  br i1 %44, label %45, label %50

45:
  %46 = load i8, ptr %2, align 1
  %47 = zext i8 %46 to i32
  %48 = xor i32 %47, 9
  %49 = trunc i32 %48 to i8
  store i8 %49, ptr %2, align 1
  br label %50

50:
  %51 = load i8, ptr %2, align 1
  store i8 %51, ptr %3, align 1
  store i32 1, ptr %4, align 4
  br label %52

52:
  %53 = load i32, ptr %4, align 4
  %54 = icmp slt i32 %53, 5
  br i1 %54, label %55, label %75

55:
  %56 = load i8, ptr %2, align 1
  %57 = zext i8 %56 to i32
  %58 = load i32, ptr %4, align 4
  %59 = shl i32 %57, %58
  %60 = load i8, ptr %2, align 1
  %61 = zext i8 %60 to i32
  %62 = load i32, ptr %4, align 4
  %63 = sub nsw i32 8, %62
  %64 = ashr i32 %61, %63
  %65 = or i32 %59, %64
  %66 = trunc i32 %65 to i8
  %67 = zext i8 %66 to i32
  %68 = load i8, ptr %3, align 1
  %69 = zext i8 %68 to i32
  %70 = xor i32 %69, %67
  %71 = trunc i32 %70 to i8
  store i8 %71, ptr %3, align 1
  br label %72

72:
  %73 = load i32, ptr %4, align 4
  %74 = add nsw i32 %73, 1
  store i32 %74, ptr %4, align 4
  br label %52, !llvm.loop !6

75:
  %76 = load i8, ptr %3, align 1
  %77 = zext i8 %76 to i32
  %78 = xor i32 %77, 99
  %79 = trunc i32 %78 to i8
  %80 = load i8, ptr %1, align 1
  %81 = zext i8 %80 to i64
  %82 = getelementptr inbounds nuw [256 x i8], ptr @box, i64 0, i64 %81
  store i8 %79, ptr %82, align 1
  br label %83

83:
  %84 = load i8, ptr %1, align 1
  %85 = zext i8 %84 to i32
  %86 = icmp ne i32 %85, 1
  br i1 %86, label %6, label %87, !llvm.loop !7

87:
  store i8 99, ptr @box, align 16
  store i32 0, ptr %5, align 4
  br label %88

88:
  %89 = load i32, ptr %5, align 4
  %90 = icmp slt i32 %89, 256
  br i1 %90, label %91, label %103

91:
  %92 = load i32, ptr %5, align 4
  %93 = trunc i32 %92 to i8
  %94 = load i32, ptr %5, align 4
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds [256 x i8], ptr @box, i64 0, i64 %95
  %97 = load i8, ptr %96, align 1
  %98 = zext i8 %97 to i64
  %99 = getelementptr inbounds nuw [256 x i8], ptr @inverse, i64 0, i64 %98
  store i8 %93, ptr %99, align 1
  br label %100

100:
  %101 = load i32, ptr %5, align 4
  %102 = add nsw i32 %101, 1
  store i32 %102, ptr %5, align 4
  br label %88, !llvm.loop !8

103:
  ret void
}

define dso_local void @expand_key(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i8, align 1
  %4 = alloca i32, align 4
  %5 = alloca i8, align 1
  store ptr %0, ptr %2, align 8
  store i8 1, ptr %3, align 1
  store i32 0, ptr %4, align 4
  br label %6

6:
  %7 = load i32, ptr %4, align 4
  %8 = icmp slt i32 %7, 176
  br i1 %8, label %9, label %78

9:
  %10 = load i32, ptr %4, align 4
  %11 = icmp slt i32 %10, 16
  br i1 %11, label %12, label %21

12:
  %13 = load ptr, ptr %2, align 8
  %14 = load i32, ptr %4, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds i8, ptr %13, i64 %15
  %17 = load i8, ptr %16, align 1
  %18 = load i32, ptr %4, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [176 x i8], ptr @round_keys, i64 0, i64 %19
  store i8 %17, ptr %20, align 1
  br label %75

21:
  %22 = load i32, ptr %4, align 4
  %23 = sub nsw i32 %22, 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [176 x i8], ptr @round_keys, i64 0, i64 %24
  %26 = load i8, ptr %25, align 1
  store i8 %26, ptr %5, align 1
  %27 = load i32, ptr %4, align 4
  %28 = srem i32 %27, 16
  %29 = icmp slt i32 %28, 4
  br i1 %29, label %30, label %61

30:
  %31 = load i32, ptr %4, align 4
  %32 = srem i32 %31, 4
  %33 = icmp eq i32 %32, 3
  br i1 %33, label %34, label %37

34:
  %35 = load i32, ptr %4, align 4
  %36 = sub nsw i32 %35, 7
  br label %40

37:
  %38 = load i32, ptr %4, align 4
  %39 = sub nsw i32 %38, 3
  br label %40

40:
  %41 = phi i32 [ %36, %34 ], [ %39, %37 ]
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [176 x i8], ptr @round_keys, i64 0, i64 %42
  %44 = load i8, ptr %43, align 1
  %45 = zext i8 %44 to i64
  %46 = getelementptr inbounds nuw [256 x i8], ptr @box, i64 0, i64 %45
  %47 = load i8, ptr %46, align 1
  store i8 %47, ptr %5, align 1
  %48 = load i32, ptr %4, align 4
  %49 = srem i32 %48, 16
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %51, label %60

51:
  %52 = load i8, ptr %3, align 1
  %53 = zext i8 %52 to i32
  %54 = load i8, ptr %5, align 1
  %55 = zext i8 %54 to i32
  %56 = xor i32 %55, %53
  %57 = trunc i32 %56 to i8
  store i8 %57, ptr %5, align 1
  %58 = load i8, ptr %3, align 1
  %59 = call zeroext i8 @times_two(i8 noundef zeroext %58)
  store i8 %59, ptr %3, align 1
  br label %60

60:
  br label %61

61:
  %62 = load i32, ptr %4, align 4
  %63 = sub nsw i32 %62, 16
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [176 x i8], ptr @round_keys, i64 0, i64 %64
  %66 = load i8, ptr %65, align 1
  %67 = zext i8 %66 to i32
  %68 = load i8, ptr %5, align 1
  %69 = zext i8 %68 to i32
  %70 = xor i32 %67, %69
  %71 = trunc i32 %70 to i8
  %72 = load i32, ptr %4, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [176 x i8], ptr @round_keys, i64 0, i64 %73
  store i8 %71, ptr %74, align 1
  br label %75

75:
  %76 = load i32, ptr %4, align 4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %4, align 4
  br label %6, !llvm.loop !9

78:
  ret void
}

define dso_local void @add_key(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  br label %6

6:
  %7 = load i32, ptr %5, align 4
  %8 = icmp slt i32 %7, 16
  br i1 %8, label %9, label %29

9:
  %10 = load i32, ptr %4, align 4
  %11 = mul nsw i32 16, %10
  %12 = load i32, ptr %5, align 4
  %13 = add nsw i32 %11, %12
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [176 x i8], ptr @round_keys, i64 0, i64 %14
  %16 = load i8, ptr %15, align 1
  %17 = zext i8 %16 to i32
  %18 = load ptr, ptr %3, align 8
  %19 = load i32, ptr %5, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds i8, ptr %18, i64 %20
  %22 = load i8, ptr %21, align 1
  %23 = zext i8 %22 to i32
  %24 = xor i32 %23, %17
  %25 = trunc i32 %24 to i8
  store i8 %25, ptr %21, align 1
  br label %26

26:
  %27 = load i32, ptr %5, align 4
  %28 = add nsw i32 %27, 1
  store i32 %28, ptr %5, align 4
  br label %6, !llvm.loop !10

29:
  ret void
}

define dso_local void @substitute_and_shift(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca [16 x i8], align 16
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store i32 %2, ptr %6, align 4
  store i32 0, ptr %8, align 4
  br label %10

10:
  %11 = load i32, ptr %8, align 4
  %12 = icmp slt i32 %11, 16
  br i1 %12, label %13, label %25

13:
  %14 = load ptr, ptr %4, align 8
  %15 = load i32, ptr %8, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds i8, ptr %14, i64 %16
  %18 = load i8, ptr %17, align 1
  %19 = load i32, ptr %8, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [16 x i8], ptr %7, i64 0, i64 %20
  store i8 %18, ptr %21, align 1
  br label %22

22:
  %23 = load i32, ptr %8, align 4
  %24 = add nsw i32 %23, 1
  store i32 %24, ptr %8, align 4
  br label %10, !llvm.loop !11

25:
  store i32 0, ptr %9, align 4
  br label %26

26:
  %27 = load i32, ptr %9, align 4
  %28 = icmp slt i32 %27, 16
  br i1 %28, label %29, label %52

29:
  %30 = load ptr, ptr %5, align 8
  %31 = load i32, ptr %9, align 4
  %32 = load i32, ptr %6, align 4
  %33 = load i32, ptr %9, align 4
  %34 = srem i32 %33, 4
  %35 = mul nsw i32 %32, %34
  %36 = add nsw i32 %31, %35
  %37 = add nsw i32 %36, 64
  %38 = srem i32 %37, 16
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [16 x i8], ptr %7, i64 0, i64 %39
  %41 = load i8, ptr %40, align 1
  %42 = zext i8 %41 to i64
  %43 = getelementptr inbounds nuw i8, ptr %30, i64 %42
  %44 = load i8, ptr %43, align 1
  %45 = load ptr, ptr %4, align 8
  %46 = load i32, ptr %9, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds i8, ptr %45, i64 %47
  store i8 %44, ptr %48, align 1
  br label %49

49:
  %50 = load i32, ptr %9, align 4
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %9, align 4
  br label %26, !llvm.loop !12

52:
  ret void
}

define dso_local void @mix_columns(ptr noundef %0, i8 noundef zeroext %1, i8 noundef zeroext %2, i8 noundef zeroext %3, i8 noundef zeroext %4) #0 {
  %6 = alloca ptr, align 8
  %7 = alloca i8, align 1
  %8 = alloca i8, align 1
  %9 = alloca i8, align 1
  %10 = alloca i8, align 1
  %11 = alloca i32, align 4
  %12 = alloca [4 x i8], align 1
  %13 = alloca i32, align 4
  store ptr %0, ptr %6, align 8
  store i8 %1, ptr %7, align 1
  store i8 %2, ptr %8, align 1
  store i8 %3, ptr %9, align 1
  store i8 %4, ptr %10, align 1
  store i32 0, ptr %11, align 4
  br label %14

14:
  %15 = load i32, ptr %11, align 4
  %16 = icmp slt i32 %15, 16
  br i1 %16, label %17, label %99

17:
  %18 = load ptr, ptr %6, align 8
  %19 = load i32, ptr %11, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds i8, ptr %18, i64 %20
  %22 = load i8, ptr %21, align 1
  store i8 %22, ptr %12, align 1
  %23 = getelementptr inbounds i8, ptr %12, i64 1
  %24 = load ptr, ptr %6, align 8
  %25 = load i32, ptr %11, align 4
  %26 = add nsw i32 %25, 1
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds i8, ptr %24, i64 %27
  %29 = load i8, ptr %28, align 1
  store i8 %29, ptr %23, align 1
  %30 = getelementptr inbounds i8, ptr %12, i64 2
  %31 = load ptr, ptr %6, align 8
  %32 = load i32, ptr %11, align 4
  %33 = add nsw i32 %32, 2
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds i8, ptr %31, i64 %34
  %36 = load i8, ptr %35, align 1
  store i8 %36, ptr %30, align 1
  %37 = getelementptr inbounds i8, ptr %12, i64 3
  %38 = load ptr, ptr %6, align 8
  %39 = load i32, ptr %11, align 4
  %40 = add nsw i32 %39, 3
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i8, ptr %38, i64 %41
  %43 = load i8, ptr %42, align 1
  store i8 %43, ptr %37, align 1
  store i32 0, ptr %13, align 4
  br label %44

44:
  %45 = load i32, ptr %13, align 4
  %46 = icmp slt i32 %45, 4
  br i1 %46, label %47, label %95

47:
  %48 = load i32, ptr %13, align 4
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [4 x i8], ptr %12, i64 0, i64 %49
  %51 = load i8, ptr %50, align 1
  %52 = load i8, ptr %7, align 1
  %53 = call zeroext i8 @multiply(i8 noundef zeroext %51, i8 noundef zeroext %52)
  %54 = zext i8 %53 to i32
  %55 = load i32, ptr %13, align 4
  %56 = add nsw i32 %55, 1
  %57 = srem i32 %56, 4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [4 x i8], ptr %12, i64 0, i64 %58
  %60 = load i8, ptr %59, align 1
  %61 = load i8, ptr %8, align 1
  %62 = call zeroext i8 @multiply(i8 noundef zeroext %60, i8 noundef zeroext %61)
  %63 = zext i8 %62 to i32
  %64 = xor i32 %54, %63
  %65 = load i32, ptr %13, align 4
  %66 = add nsw i32 %65, 2
  %67 = srem i32 %66, 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [4 x i8], ptr %12, i64 0, i64 %68
  %70 = load i8, ptr %69, align 1
  %71 = load i8, ptr %9, align 1
  %72 = call zeroext i8 @multiply(i8 noundef zeroext %70, i8 noundef zeroext %71)
  %73 = zext i8 %72 to i32
  %74 = xor i32 %64, %73
  %75 = load i32, ptr %13, align 4
  %76 = add nsw i32 %75, 3
  %77 = srem i32 %76, 4
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds [4 x i8], ptr %12, i64 0, i64 %78
  %80 = load i8, ptr %79, align 1
  %81 = load i8, ptr %10, align 1
  %82 = call zeroext i8 @multiply(i8 noundef zeroext %80, i8 noundef zeroext %81)
  %83 = zext i8 %82 to i32
  %84 = xor i32 %74, %83
  %85 = trunc i32 %84 to i8
  %86 = load ptr, ptr %6, align 8
  %87 = load i32, ptr %11, align 4
  %88 = load i32, ptr %13, align 4
  %89 = add nsw i32 %87, %88
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds i8, ptr %86, i64 %90
  store i8 %85, ptr %91, align 1
  br label %92

92:
  %93 = load i32, ptr %13, align 4
  %94 = add nsw i32 %93, 1
  store i32 %94, ptr %13, align 4
  br label %44, !llvm.loop !13

95:
  br label %96

96:
  %97 = load i32, ptr %11, align 4
  %98 = add nsw i32 %97, 4
  store i32 %98, ptr %11, align 4
  br label %14, !llvm.loop !14

99:
  ret void
}

define dso_local void @encrypt(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  %4 = load ptr, ptr %2, align 8
  call void @add_key(ptr noundef %4, i32 noundef 0)
  store i32 1, ptr %3, align 4
  br label %5

5:
  %6 = load i32, ptr %3, align 4
  %7 = icmp sle i32 %6, 10
  br i1 %7, label %8, label %20

8:
  %9 = load ptr, ptr %2, align 8
  call void @substitute_and_shift(ptr noundef %9, ptr noundef @box, i32 noundef 4)
  %10 = load i32, ptr %3, align 4
  %11 = icmp slt i32 %10, 10
  br i1 %11, label %12, label %14

12:
  %13 = load ptr, ptr %2, align 8
  call void @mix_columns(ptr noundef %13, i8 noundef zeroext 2, i8 noundef zeroext 3, i8 noundef zeroext 1, i8 noundef zeroext 1)
  br label %14

14:
  %15 = load ptr, ptr %2, align 8
  %16 = load i32, ptr %3, align 4
  call void @add_key(ptr noundef %15, i32 noundef %16)
  br label %17

17:
  %18 = load i32, ptr %3, align 4
  %19 = add nsw i32 %18, 1
  store i32 %19, ptr %3, align 4
  br label %5, !llvm.loop !15

20:
  ret void
}

define dso_local void @decrypt(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 10, ptr %3, align 4
  br label %4

4:
  %5 = load i32, ptr %3, align 4
  %6 = icmp sge i32 %5, 1
  br i1 %6, label %7, label %19

7:
  %8 = load ptr, ptr %2, align 8
  %9 = load i32, ptr %3, align 4
  call void @add_key(ptr noundef %8, i32 noundef %9)
  %10 = load i32, ptr %3, align 4
  %11 = icmp slt i32 %10, 10
  br i1 %11, label %12, label %14

12:
  %13 = load ptr, ptr %2, align 8
  call void @mix_columns(ptr noundef %13, i8 noundef zeroext 14, i8 noundef zeroext 11, i8 noundef zeroext 13, i8 noundef zeroext 9)
  br label %14

14:
  %15 = load ptr, ptr %2, align 8
  call void @substitute_and_shift(ptr noundef %15, ptr noundef @inverse, i32 noundef -4)
  br label %16

16:
  %17 = load i32, ptr %3, align 4
  %18 = add nsw i32 %17, -1
  store i32 %18, ptr %3, align 4
  br label %4, !llvm.loop !16

19:
  %20 = load ptr, ptr %2, align 8
  call void @add_key(ptr noundef %20, i32 noundef 0)
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [16 x i8], align 16
  %3 = alloca [16 x i8], align 16
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  br label %8

8:
  %9 = load i32, ptr %5, align 4
  %10 = icmp slt i32 %9, 16
  br i1 %10, label %11, label %26

11:
  %12 = load i32, ptr %5, align 4
  %13 = trunc i32 %12 to i8
  %14 = load i32, ptr %5, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [16 x i8], ptr %2, i64 0, i64 %15
  store i8 %13, ptr %16, align 1
  %17 = load i32, ptr %5, align 4
  %18 = mul nsw i32 %17, 17
  %19 = trunc i32 %18 to i8
  %20 = load i32, ptr %5, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [16 x i8], ptr %3, i64 0, i64 %21
  store i8 %19, ptr %22, align 1
  br label %23

23:
  %24 = load i32, ptr %5, align 4
  %25 = add nsw i32 %24, 1
  store i32 %25, ptr %5, align 4
  br label %8, !llvm.loop !17

26:
  call void @make_boxes()
  %27 = getelementptr inbounds [16 x i8], ptr %2, i64 0, i64 0
  call void @expand_key(ptr noundef %27)
  %28 = getelementptr inbounds [16 x i8], ptr %3, i64 0, i64 0
  call void @encrypt(ptr noundef %28)
  store i32 0, ptr %6, align 4
  br label %29

29:
  %30 = load i32, ptr %6, align 4
  %31 = icmp slt i32 %30, 16
  br i1 %31, label %32, label %56

32:
  %33 = load i32, ptr %6, align 4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [16 x i8], ptr %3, i64 0, i64 %34
  %36 = load i8, ptr %35, align 1
  %37 = zext i8 %36 to i32
  %38 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %37)
  %39 = load i32, ptr %6, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [16 x i8], ptr %3, i64 0, i64 %40
  %42 = load i8, ptr %41, align 1
  %43 = zext i8 %42 to i32
  %44 = load i32, ptr %6, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [16 x i8], ptr @main.expected, i64 0, i64 %45
  %47 = load i8, ptr %46, align 1
  %48 = zext i8 %47 to i32
  %49 = icmp ne i32 %43, %48
  %50 = zext i1 %49 to i32
  %51 = load i32, ptr %4, align 4
  %52 = add nsw i32 %51, %50
  store i32 %52, ptr %4, align 4
  br label %53

53:
  %54 = load i32, ptr %6, align 4
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %6, align 4
  br label %29, !llvm.loop !18

56:
  %57 = getelementptr inbounds [16 x i8], ptr %3, i64 0, i64 0
  call void @decrypt(ptr noundef %57)
  store i32 0, ptr %7, align 4
  br label %58

58:
  %59 = load i32, ptr %7, align 4
  %60 = icmp slt i32 %59, 16
  br i1 %60, label %61, label %78

61:
  %62 = load i32, ptr %7, align 4
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [16 x i8], ptr %3, i64 0, i64 %63
  %65 = load i8, ptr %64, align 1
  %66 = zext i8 %65 to i32
  %67 = load i32, ptr %7, align 4
  %68 = mul nsw i32 %67, 17
  %69 = trunc i32 %68 to i8
  %70 = zext i8 %69 to i32
  %71 = icmp ne i32 %66, %70
  %72 = zext i1 %71 to i32
  %73 = load i32, ptr %4, align 4
  %74 = add nsw i32 %73, %72
  store i32 %74, ptr %4, align 4
  br label %75

75:
  %76 = load i32, ptr %7, align 4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %7, align 4
  br label %58, !llvm.loop !19

78:
  %79 = load i32, ptr %4, align 4
  %80 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, i32 noundef %79)
  %81 = load i32, ptr %4, align 4
  %82 = icmp ne i32 %81, 0
  %83 = zext i1 %82 to i32
  ret i32 %83
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
!18 = distinct !{!18, !5}
!19 = distinct !{!19, !5}
