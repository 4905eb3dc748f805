source_filename = "sobel.c"

@picture = internal global [30 x [40 x i8]] zeroinitializer, align 16
@levels = internal global [31 x [42 x i32]] zeroinitializer, align 16
@main.gauss = internal constant [9 x i32] [i32 1, i32 2, i32 1, i32 2, i32 4, i32 2, i32 1, i32 2, i32 1], align 16
@main.box = internal constant [9 x i32] [i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1], align 16
@main.across = internal constant [9 x i32] [i32 -1, i32 0, i32 1, i32 -2, i32 0, i32 2, i32 -1, i32 0, i32 1], align 16
@main.down = internal constant [9 x i32] [i32 -1, i32 -2, i32 -1, i32 0, i32 0, i32 0, i32 1, i32 2, i32 1], align 16
@blurred = internal global [30 x [40 x i8]] zeroinitializer, align 16
@edges = internal global [30 x [40 x i8]] zeroinitializer, align 16
@.str = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1

define dso_local void @draw() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %5

5:
  %6 = load i32, ptr %1, align 4
  %7 = icmp slt i32 %6, 30
  br i1 %7, label %8, label %52

8:
  store i32 0, ptr %2, align 4
  br label %9

9:
  %10 = load i32, ptr %2, align 4
  %11 = icmp slt i32 %10, 40
  br i1 %11, label %12, label %48

12:
  %13 = load i32, ptr %2, align 4
  %14 = sub nsw i32 %13, 18
  store i32 %14, ptr %3, align 4
  %15 = load i32, ptr %1, align 4
  %16 = sub nsw i32 %15, 14
  store i32 %16, ptr %4, align 4
  %17 = load i32, ptr %3, align 4
  %18 = load i32, ptr %3, align 4
  %19 = mul nsw i32 %17, %18
  %20 = load i32, ptr %4, align 4
  %21 = load i32, ptr %4, align 4
  %22 = mul nsw i32 %20, %21
  %23 = add nsw i32 %19, %22
  %24 = icmp slt i32 %23, 90
  br i1 %24, label %25, label %29

25:
  %26 = load i32, ptr %4, align 4
  %27 = mul nsw i32 3, %26
  %28 = sub nsw i32 220, %27
  br label %36

29:
  %30 = load i32, ptr %2, align 4
  %31 = mul nsw i32 %30, 5
  %32 = load i32, ptr %1, align 4
  %33 = mul nsw i32 %32, 3
  %34 = add nsw i32 %31, %33
  %35 = srem i32 %34, 120
  br label %36

36:
  %37 = phi i32 [ %28, %25 ], [ %35, %29 ]
  %38 = trunc i32 %37 to i8
  %39 = load i32, ptr %1, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [30 x [40 x i8]], ptr @picture, i64 0, i64 %40
  %42 = load i32, ptr %2, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [40 x i8], ptr %41, i64 0, i64 %43
  store i8 %38, ptr %44, align 1
  br label %45

45:
  %46 = load i32, ptr %2, align 4
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %2, align 4
  br label %9, !llvm.loop !4

48:
  br label %49

49:
  %50 = load i32, ptr %1, align 4
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %1, align 4
  br label %5, !llvm.loop !6

52:
  ret void
}

define dso_local i32 @filter(i32 noundef %0, i32 noundef %1, ptr noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  store ptr %2, ptr %6, align 8
  store i32 0, ptr %7, align 4
  store i32 0, ptr %8, align 4
  br label %9

9:
  %10 = load i32, ptr %8, align 4
  %11 = icmp slt i32 %10, 9
  br i1 %11, label %12, label %40

12:
  %13 = load ptr, ptr %6, align 8
  %14 = load i32, ptr %8, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds i32, ptr %13, i64 %15
  %17 = load i32, ptr %16, align 4
  %18 = load i32, ptr %4, align 4
  %19 = load i32, ptr %8, align 4
  %20 = sdiv i32 %19, 3
  %21 = add nsw i32 %18, %20
  %22 = sub nsw i32 %21, 1
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [30 x [40 x i8]], ptr @picture, i64 0, i64 %23
  %25 = load i32, ptr %5, align 4
  %26 = load i32, ptr %8, align 4
  %27 = srem i32 %26, 3
  %28 = add nsw i32 %25, %27
  %29 = sub nsw i32 %28, 1
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [40 x i8], ptr %24, i64 0, i64 %30
  %32 = load i8, ptr %31, align 1
  %33 = zext i8 %32 to i32
  %34 = mul nsw i32 %17, %33
  %35 = load i32, ptr %7, align 4
  %36 = add nsw i32 %35, %34
  store i32 %36, ptr %7, align 4
  br label %37

37:
  %38 = load i32, ptr %8, align 4
  %39 = add nsw i32 %38, 1
  store i32 %39, ptr %8, align 4
  br label %9, !llvm.loop !7

40:
  %41 = load i32, ptr %7, align 4
  ret i32 %41
}

define dso_local i32 @clamp(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = icmp slt i32 %3, 0
  br i1 %4, label %5, label %6

5:
  br label %14

6:
  %7 = load i32, ptr %2, align 4
  %8 = icmp sgt i32 %7, 255
  br i1 %8, label %9, label %10

9:
  br label %12

10:
  %11 = load i32, ptr %2, align 4
  br label %12

12:
  %13 = phi i32 [ 255, %9 ], [ %11, %10 ]
  br label %14

14:
  %15 = phi i32 [ 0, %5 ], [ %13, %12 ]
  ret i32 %15
}

define dso_local i32 @distance(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = icmp slt i32 %3, 0
  br i1 %4, label %5, label %8

5:
  %6 = load i32, ptr %2, align 4
  %7 = sub nsw i32 0, %6
  br label %10

8:
  %9 = load i32, ptr %2, align 4
  br label %10

10:
  %11 = phi i32 [ %7, %5 ], [ %9, %8 ]
  ret i32 %11
}

define dso_local void @dither() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %7

7:
  %8 = load i32, ptr %1, align 4
  %9 = icmp slt i32 %8, 30
  br i1 %9, label %10, label %37

10:
  store i32 0, ptr %2, align 4
  br label %11

11:
  %12 = load i32, ptr %2, align 4
  %13 = icmp slt i32 %12, 40
  br i1 %13, label %14, label %33

14:
  %15 = load i32, ptr %1, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [30 x [40 x i8]], ptr @picture, i64 0, i64 %16
  %18 = load i32, ptr %2, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [40 x i8], ptr %17, i64 0, i64 %19
  %21 = load i8, ptr %20, align 1
  %22 = zext i8 %21 to i32
  %23 = load i32, ptr %1, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [31 x [42 x i32]], ptr @levels, i64 0, i64 %24
  %26 = load i32, ptr %2, align 4
  %27 = add nsw i32 %26, 1
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [42 x i32], ptr %25, i64 0, i64 %28
  store i32 %22, ptr %29, align 4
  br label %30

30:
  %31 = load i32, ptr %2, align 4
  %32 = add nsw i32 %31, 1
  store i32 %32, ptr %2, align 4
  br label %11, !llvm.loop !8

33:
  br label %34

34:
  %35 = load i32, ptr %1, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %1, align 4
  br label %7, !llvm.loop !9

37:
  store i32 0, ptr %3, align 4
  br label %38

38:
  %39 = load i32, ptr %3, align 4
  %40 = icmp slt i32 %39, 30
  br i1 %40, label %41, label %128

41:
  store i32 1, ptr %4, align 4
  br label %42

42:
  %43 = load i32, ptr %4, align 4
  %44 = icmp sle i32 %43, 40
  br i1 %44, label %45, label %124

45:
  %46 = load i32, ptr %3, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [31 x [42 x i32]], ptr @levels, i64 0, i64 %47
  %49 = load i32, ptr %4, align 4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [42 x i32], ptr %48, i64 0, i64 %50
  %52 = load i32, ptr %51, align 4
  store i32 %52, ptr %5, align 4
  %53 = load i32, ptr %5, align 4
  %54 = icmp sgt i32 %53, 127
  %55 = zext i1 %54 to i64
  %56 = select i1 %54, i32 255, i32 0
  %57 = load i32, ptr %3, align 4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [31 x [42 x i32]], ptr @levels, i64 0, i64 %58
  %60 = load i32, ptr %4, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [42 x i32], ptr %59, i64 0, i64 %61
  store i32 %56, ptr %62, align 4
  %63 = load i32, ptr %5, align 4
  %64 = load i32, ptr %3, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [31 x [42 x i32]], ptr @levels, i64 0, i64 %65
  %67 = load i32, ptr %4, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [42 x i32], ptr %66, i64 0, i64 %68
  %70 = load i32, ptr %69, align 4
  %71 = sub nsw i32 %63, %70
  store i32 %71, ptr %6, align 4
  %72 = load i32, ptr %6, align 4
  %73 = mul nsw i32 %72, 7
  %74 = sdiv i32 %73, 16
  %75 = load i32, ptr %3, align 4
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds [31 x [42 x i32]], ptr @levels, i64 0, i64 %76
  %78 = load i32, ptr %4, align 4
  %79 = add nsw i32 %78, 1
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds [42 x i32], ptr %77, i64 0, i64 %80
  %82 = load i32, ptr %81, align 4
  %83 = add nsw i32 %82, %74
  store i32 %83, ptr %81, align 4
  %84 = load i32, ptr %6, align 4
  %85 = mul nsw i32 %84, 3
  %86 = sdiv i32 %85, 16
  %87 = load i32, ptr %3, align 4
  %88 = add nsw i32 %87, 1
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds [31 x [42 x i32]], ptr @levels, i64 0, i64 %89
  %91 = load i32, ptr %4, align 4
  %92 = sub nsw i32 %91, 1
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds [42 x i32], ptr %90, i64 0, i64 %93
  %95 = load i32, ptr %94, align 4
  %96 = add nsw i32 %95, %86
  store i32 %96, ptr %94, align 4
  %97 = load i32, ptr %6, align 4
  %98 = mul nsw i32 %97, 5
  %99 = sdiv i32 %98, 16
  %100 = load i32, ptr %3, align 4
  %101 = add nsw i32 %100, 1
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds [31 x [42 x i32]], ptr @levels, i64 0, i64 %102
  %104 = load i32, ptr %4, align 4
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds [42 x i32], ptr %103, i64 0, i64 %105
  %107 = load i32, ptr %106, align 4
  %108 = add nsw i32 %107, %99
  store i32 %108, ptr %106, align 4
  %109 = load i32, ptr %6, align 4
  %110 = sdiv i32 %109, 16
  %111 = load i32, ptr %3, align 4
  %112 = add nsw i32 %111, 1
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds [31 x [42 x i32]], ptr @levels, i64 0, i64 %113
  %115 = load i32, ptr %4, align 4
  %116 = add nsw i32 %115, 1
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds [42 x i32], ptr %114, i64 0, i64 %117
  %119 = load i32, ptr %118, align 4
  %120 = add nsw i32 %119, %110
  store i32 %120, ptr %118, align 4
  br label %121

121:
  %122 = load i32, ptr %4, align 4
  %123 = add nsw i32 %122, 1
  store i32 %123, ptr %4, align 4
  br label %42, !llvm.loop !10

124:
  br label %125

125:
  %126 = load i32, ptr %3, align 4
  %127 = add nsw i32 %126, 1
  store i32 %127, ptr %3, align 4
  br label %38, !llvm.loop !11

128:
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  call void @draw()
  store i32 1, ptr %6, align 4
  br label %10

10:
  %11 = load i32, ptr %6, align 4
  %12 = icmp slt i32 %11, 29
  br i1 %12, label %13, label %104

13:
  store i32 1, ptr %7, align 4
  br label %14

14:
  %15 = load i32, ptr %7, align 4
  %16 = icmp slt i32 %15, 39
  br i1 %16, label %17, label %100

17:
  %18 = load i32, ptr %6, align 4
  %19 = load i32, ptr %7, align 4
  %20 = call i32 @filter(i32 noundef %18, i32 noundef %19, ptr noundef @main.gauss)
  %21 = sdiv i32 %20, 16
  %22 = trunc i32 %21 to i8
  %23 = load i32, ptr %6, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [30 x [40 x i8]], ptr @blurred, i64 0, i64 %24
  %26 = load i32, ptr %7, align 4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [40 x i8], ptr %25, i64 0, i64 %27
  store i8 %22, ptr %28, align 1
  %29 = load i32, ptr %6, align 4
  %30 = load i32, ptr %7, align 4
  %31 = call i32 @filter(i32 noundef %29, i32 noundef %30, ptr noundef @main.box)
  %32 = sdiv i32 %31, 9
  %33 = load i32, ptr %5, align 4
  %34 = add nsw i32 %33, %32
  store i32 %34, ptr %5, align 4
  %35 = load i32, ptr %6, align 4
  %36 = load i32, ptr %7, align 4
  %37 = call i32 @filter(i32 noundef %35, i32 noundef %36, ptr noundef @main.across)
  %38 = call i32 @distance(i32 noundef %37)
  %39 = load i32, ptr %6, align 4
  %40 = load i32, ptr %7, align 4
  %41 = call i32 @filter(i32 noundef %39, i32 noundef %40, ptr noundef @main.down)
  %42 = call i32 @distance(i32 noundef %41)
  %43 = add nsw i32 %38, %42
  %44 = call i32 @clamp(i32 noundef %43)
  %45 = trunc i32 %44 to i8
  %46 = load i32, ptr %6, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [30 x [40 x i8]], ptr @edges, i64 0, i64 %47
  %49 = load i32, ptr %7, align 4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [40 x i8], ptr %48, i64 0, i64 %50
  store i8 %45, ptr %51, align 1
  %52 = load i32, ptr %6, align 4
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [30 x [40 x i8]], ptr @edges, i64 0, i64 %53
  %55 = load i32, ptr %7, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [40 x i8], ptr %54, i64 0, i64 %56
  %58 = load i8, ptr %57, align 1
  %59 = zext i8 %58 to i32
  %60 = load i32, ptr %4, align 4
  %61 = icmp sgt i32 %59, %60
  br i1 %61, label %62, label %71

62:
  %63 = load i32, ptr %6, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [30 x [40 x i8]], ptr @edges, i64 0, i64 %64
  %66 = load i32, ptr %7, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [40 x i8], ptr %65, i64 0, i64 %67
  %69 = load i8, ptr %68, align 1
  %70 = zext i8 %69 to i32
  br label %73

71:
  %72 = load i32, ptr %4, align 4
  br label %73

73:
  %74 = phi i32 [ %70, %62 ], [ %72, %71 ]
  store i32 %74, ptr %4, align 4
  %75 = load i32, ptr %2, align 4
  %76 = mul nsw i32 %75, 31
  %77 = load i32, ptr %6, align 4
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds [30 x [40 x i8]], ptr @blurred, i64 0, i64 %78
  %80 = load i32, ptr %7, align 4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [40 x i8], ptr %79, i64 0, i64 %81
  %83 = load i8, ptr %82, align 1
  %84 = zext i8 %83 to i32
  %85 = mul nsw i32 %84, 256
  %86 = add nsw i32 %76, %85
  %87 = load i32, ptr %6, align 4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [30 x [40 x i8]], ptr @edges, i64 0, i64 %88
  %90 = load i32, ptr %7, align 4
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds [40 x i8], ptr %89, i64 0, i64 %91
  %93 = load i8, ptr %92, align 1
  %94 = zext i8 %93 to i32
  %95 = add nsw i32 %86, %94
  %96 = and i32 %95, 16777215
  store i32 %96, ptr %2, align 4
  br label %97

97:
  %98 = load i32, ptr %7, align 4
  %99 = add nsw i32 %98, 1
  store i32 %99, ptr %7, align 4
  br label %14, !llvm.loop !12

100:
  br label %101

101:
  %102 = load i32, ptr %6, align 4
  %103 = add nsw i32 %102, 1
  store i32 %103, ptr %6, align 4
  br label %10, !llvm.loop !13

104:
  call void @dither()
  store i32 0, ptr %8, align 4
  br label %105

105:
  %106 = load i32, ptr %8, align 4
  %107 = icmp slt i32 %106, 30
  br i1 %107, label %108, label %131

108:
  store i32 1, ptr %9, align 4
  br label %109

109:
  %110 = load i32, ptr %9, align 4
  %111 = icmp sle i32 %110, 40
  br i1 %111, label %112, label %127

112:
  %113 = load i32, ptr %8, align 4
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds [31 x [42 x i32]], ptr @levels, i64 0, i64 %114
  %116 = load i32, ptr %9, align 4
  %117 = sext i32 %116 to i64
  %118 = getelementptr inbounds [42 x i32], ptr %115, i64 0, i64 %117
  %119 = load i32, ptr %118, align 4
  %120 = icmp eq i32 %119, 255
  %121 = zext i1 %120 to i32
  %122 = load i32, ptr %3, align 4
  %123 = add nsw i32 %122, %121
  store i32 %123, ptr %3, align 4
  br label %124

124:
  %125 = load i32, ptr %9, align 4
  %126 = add nsw i32 %125, 1
  store i32 %126, ptr %9, align 4
  br label %109, !llvm.loop !14

127:
  br label %128

128:
  %129 = load i32, ptr %8, align 4
  %130 = add nsw i32 %129, 1
  store i32 %130, ptr %8, align 4
  br label %105, !llvm.loop !15

131:
  %132 = load i32, ptr %2, align 4
  %133 = load i32, ptr %5, align 4
  %134 = load i32, ptr %4, align 4
  %135 = load i32, ptr %3, align 4
  %136 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %132, i32 noundef %133, i32 noundef %134, i32 noundef %135)
  %137 = load i32, ptr %3, align 4
  %138 = icmp eq i32 %137, 0
  br i1 %138, label %142, label %139

139:
  %140 = load i32, ptr %4, align 4
  %141 = icmp ne i32 %140, 255
  br label %142

142:
  %143 = phi i1 [ true, %131 ], [ %141, %139 ]
  %144 = zext i1 %143 to i32
  ret i32 %144
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
