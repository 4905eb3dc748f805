source_filename = "nqueens.c"

@columns = internal global [16 x i32] zeroinitializer, align 16
@visited = internal global [8 x [8 x i8]] zeroinitializer, align 16
@tour.dy = internal constant [8 x i8] c"\01\02\02\01\FF\FE\FE\FF", align 1
@tour.dx = internal constant [8 x i8] c"\02\01\FF\FE\FE\FF\01\02", align 1
@main.expected = internal constant [5 x i32] [i32 2, i32 10, i32 4, i32 40, i32 92], align 16
@.str = private unnamed_addr constant [4 x i8] c"%d \00", align 1
@.str.1 = private unnamed_addr constant [7 x i8] c"%d %d\0A\00", align 1

define dso_local i32 @is_safe(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %8

8:
  %9 = load i32, ptr %6, align 4
  %10 = load i32, ptr %4, align 4
  %11 = icmp slt i32 %9, %10
  br i1 %11, label %12, label %38

12:
  %13 = load i32, ptr %6, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [16 x i32], ptr @columns, i64 0, i64 %14
  %16 = load i32, ptr %15, align 4
  %17 = load i32, ptr %5, align 4
  %18 = sub nsw i32 %16, %17
  store i32 %18, ptr %7, align 4
  %19 = load i32, ptr %7, align 4
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %33, label %21

21:
  %22 = load i32, ptr %7, align 4
  %23 = load i32, ptr %4, align 4
  %24 = load i32, ptr %6, align 4
  %25 = sub nsw i32 %23, %24
  %26 = icmp eq i32 %22, %25
  br i1 %26, label %33, label %27

27:
  %28 = load i32, ptr %7, align 4
  %29 = load i32, ptr %6, align 4
  %30 = load i32, ptr %4, align 4
  %31 = sub nsw i32 %29, %30
  %32 = icmp eq i32 %28, %31
  br i1 %32, label %33, label %34

33:
  store i32 0, ptr %3, align 4
  br label %39

34:
  br label %35

35:
  %36 = load i32, ptr %6, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %6, align 4
  br label %8, !llvm.loop !4

38:
  store i32 1, ptr %3, align 4
  br label %39

39:
  %40 = load i32, ptr %3, align 4
  ret i32 %40
}

define dso_local i32 @place_by_array(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  %8 = load i32, ptr %4, align 4
  %9 = load i32, ptr %5, align 4
  %10 = icmp eq i32 %8, %9
  br i1 %10, label %11, label %12

11:
  store i32 1, ptr %3, align 4
  br label %39

12:
  store i32 0, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %13

13:
  %14 = load i32, ptr %7, align 4
  %15 = load i32, ptr %5, align 4
  %16 = icmp slt i32 %14, %15
  br i1 %16, label %17, label %37

17:
  %18 = load i32, ptr %4, align 4
  %19 = load i32, ptr %7, align 4
  %20 = call i32 @is_safe(i32 noundef %18, i32 noundef %19)
  %21 = icmp ne i32 %20, 0
  br i1 %21, label %22, label %33

22:
  %23 = load i32, ptr %7, align 4
  %24 = load i32, ptr %4, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [16 x i32], ptr @columns, i64 0, i64 %25
  store i32 %23, ptr %26, align 4
  %27 = load i32, ptr %4, align 4
  %28 = add nsw i32 %27, 1
  %29 = load i32, ptr %5, align 4
  %30 = call i32 @place_by_array(i32 noundef %28, i32 noundef %29)
  %31 = load i32, ptr %6, align 4
  %32 = add nsw i32 %31, %30
  store i32 %32, ptr %6, align 4
  br label %33

33:
  br label %34

34:
  %35 = load i32, ptr %7, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %7, align 4
  br label %13, !llvm.loop !6

37:
  %38 = load i32, ptr %6, align 4
  store i32 %38, ptr %3, align 4
  br label %39

39:
  %40 = load i32, ptr %3, align 4
  ret i32 %40
}

define dso_local i32 @place_by_bits(i32 noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store i32 %0, ptr %6, align 4
  store i32 %1, ptr %7, align 4
  store i32 %2, ptr %8, align 4
  store i32 %3, ptr %9, align 4
  %13 = load i32, ptr %7, align 4
  %14 = load i32, ptr %6, align 4
  %15 = icmp eq i32 %13, %14
  br i1 %15, label %16, label %17

16:
  store i32 1, ptr %5, align 4
  br label %56

17:
  store i32 0, ptr %10, align 4
  %18 = load i32, ptr %6, align 4
  %19 = load i32, ptr %7, align 4
  %20 = load i32, ptr %8, align 4
  %21 = or i32 %19, %20
  %22 = load i32, ptr %9, align 4
  %23 = or i32 %21, %22
  %24 = xor i32 %23, -1
  %25 = and i32 %18, %24
  store i32 %25, ptr %11, align 4
  br label %26

26:
  %27 = load i32, ptr %11, align 4
  %28 = icmp ne i32 %27, 0
  br i1 %28, label %29, label %54

29:
  %30 = load i32, ptr %11, align 4
  %31 = load i32, ptr %11, align 4
  %32 = sub i32 0, %31
  %33 = and i32 %30, %32
  store i32 %33, ptr %12, align 4
  %34 = load i32, ptr %6, align 4
  %35 = load i32, ptr %7, align 4
  %36 = load i32, ptr %12, align 4
  %37 = or i32 %35, %36
  %38 = load i32, ptr %8, align 4
  %39 = load i32, ptr %12, align 4
  %40 = or i32 %38, %39
  %41 = shl i32 %40, 1
  %42 = load i32, ptr %9, align 4
  %43 = load i32, ptr %12, align 4
  %44 = or i32 %42, %43
  %45 = lshr i32 %44, 1
  %46 = call i32 @place_by_bits(i32 noundef %34, i32 noundef %37, i32 noundef %41, i32 noundef %45)
  %47 = load i32, ptr %10, align 4
  %48 = add nsw i32 %47, %46
  store i32 %48, ptr %10, align 4
  br label %49

49:
  %50 = load i32, ptr %11, align 4
  %51 = sub i32 %50, 1
  %52 = load i32, ptr %11, align 4
  %53 = and i32 %52, %51
  store i32 %53, ptr %11, align 4
  br label %26, !llvm.loop !7

54:
  %55 = load i32, ptr %10, align 4
  store i32 %55, ptr %5, align 4
  br label %56

56:
  %57 = load i32, ptr %5, align 4
  ret i32 %57
}

define dso_local i32 @is_open(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %3, align 4
  %6 = icmp sge i32 %5, 0
  br i1 %6, label %7, label %26

7:
  %8 = load i32, ptr %3, align 4
  %9 = icmp slt i32 %8, 8
  br i1 %9, label %10, label %26

10:
  %11 = load i32, ptr %4, align 4
  %12 = icmp sge i32 %11, 0
  br i1 %12, label %13, label %26

13:
  %14 = load i32, ptr %4, align 4
  %15 = icmp slt i32 %14, 8
  br i1 %15, label %16, label %26

16:
  %17 = load i32, ptr %3, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [8 x [8 x i8]], ptr @visited, i64 0, i64 %18
  %20 = load i32, ptr %4, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [8 x i8], ptr %19, i64 0, i64 %21
  %23 = load i8, ptr %22, align 1
  %24 = icmp ne i8 %23, 0
  %25 = xor i1 %24, true
  br label %26

26:
  %27 = phi i1 [ false, %13 ], [ false, %10 ], [ false, %7 ], [ false, %2 ], [ %25, %16 ]
  %28 = zext i1 %27 to i32
  ret i32 %28
}

define dso_local i32 @tour(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  br label %11

11:
  %12 = load i32, ptr %3, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [8 x [8 x i8]], ptr @visited, i64 0, i64 %13
  %15 = load i32, ptr %4, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [8 x i8], ptr %14, i64 0, i64 %16
  store i8 1, ptr %17, align 1
  %18 = load i32, ptr %5, align 4
  %19 = add nsw i32 %18, 1
  store i32 %19, ptr %5, align 4
  store i32 -1, ptr %6, align 4
  store i32 9, ptr %7, align 4
  store i32 0, ptr %8, align 4
  br label %20

20:
  %21 = load i32, ptr %8, align 4
  %22 = icmp slt i32 %21, 8
  br i1 %22, label %23, label %89

23:
  %24 = load i32, ptr %3, align 4
  %25 = load i32, ptr %8, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [8 x i8], ptr @tour.dy, i64 0, i64 %26
  %28 = load i8, ptr %27, align 1
  %29 = sext i8 %28 to i32
  %30 = add nsw i32 %24, %29
  %31 = load i32, ptr %4, align 4
  %32 = load i32, ptr %8, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [8 x i8], ptr @tour.dx, i64 0, i64 %33
  %35 = load i8, ptr %34, align 1
  %36 = sext i8 %35 to i32
  %37 = add nsw i32 %31, %36
  %38 = call i32 @is_open(i32 noundef %30, i32 noundef %37)
  %39 = icmp ne i32 %38, 0
  br i1 %39, label %41, label %40

40:
  br label %86

41:
  store i32 0, ptr %9, align 4
  store i32 0, ptr %10, align 4
  br label %42

42:
  %43 = load i32, ptr %10, align 4
  %44 = icmp slt i32 %43, 8
  br i1 %44, label %45, label %78

45:
  %46 = load i32, ptr %3, align 4
  %47 = load i32, ptr %8, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [8 x i8], ptr @tour.dy, i64 0, i64 %48
  %50 = load i8, ptr %49, align 1
  %51 = sext i8 %50 to i32
  %52 = add nsw i32 %46, %51
  %53 = load i32, ptr %10, align 4
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [8 x i8], ptr @tour.dy, i64 0, i64 %54
  %56 = load i8, ptr %55, align 1
  %57 = sext i8 %56 to i32
  %58 = add nsw i32 %52, %57
  %59 = load i32, ptr %4, align 4
  %60 = load i32, ptr %8, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [8 x i8], ptr @tour.dx, i64 0, i64 %61
  %63 = load i8, ptr %62, align 1
  %64 = sext i8 %63 to i32
  %65 = add nsw i32 %59, %64
  %66 = load i32, ptr %10, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [8 x i8], ptr @tour.dx, i64 0, i64 %67
  %69 = load i8, ptr %68, align 1
  %70 = sext i8 %69 to i32
  %71 = add nsw i32 %65, %70
  %72 = call i32 @is_open(i32 noundef %58, i32 noundef %71)
  %73 = load i32, ptr %9, align 4
  %74 = add nsw i32 %73, %72
  store i32 %74, ptr %9, align 4
  br label %75

75:
  %76 = load i32, ptr %10, align 4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %10, align 4
  br label %42, !llvm.loop !8

78:
  %79 = load i32, ptr %9, align 4
  %80 = load i32, ptr %7, align 4
  %81 = icmp slt i32 %79, %80
  br i1 %81, label %82, label %85

82:
  %83 = load i32, ptr %9, align 4
  store i32 %83, ptr %7, align 4
  %84 = load i32, ptr %8, align 4
  store i32 %84, ptr %6, align 4
  br label %85

85:
  br label %86

86:
  %87 = load i32, ptr %8, align 4
  %88 = add nsw i32 %87, 1
  store i32 %88, ptr %8, align 4
  br label %20, !llvm.loop !9

89:
  %90 = load i32, ptr %6, align 4
  %91 = icmp slt i32 %90, 0
  br i1 %91, label %92, label %94

92:
  %93 = load i32, ptr %5, align 4
  ret i32 %93

94:
  %95 = load i32, ptr %6, align 4
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds [8 x i8], ptr @tour.dy, i64 0, i64 %96
  %98 = load i8, ptr %97, align 1
  %99 = sext i8 %98 to i32
  %100 = load i32, ptr %3, align 4
  %101 = add nsw i32 %100, %99
  store i32 %101, ptr %3, align 4
  %102 = load i32, ptr %6, align 4
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds [8 x i8], ptr @tour.dx, i64 0, i64 %103
  %105 = load i8, ptr %104, align 1
  %106 = sext i8 %105 to i32
  %107 = load i32, ptr %4, align 4
  %108 = add nsw i32 %107, %106
  store i32 %108, ptr %4, align 4
  br label %11
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 4, ptr %3, align 4
  br label %6

6:
  %7 = load i32, ptr %3, align 4
  %8 = icmp sle i32 %7, 8
  br i1 %8, label %9, label %43

9:
  %10 = load i32, ptr %3, align 4
  %11 = icmp slt i32 %10, 8
  br i1 %11, label %12, label %15

12:
  %13 = load i32, ptr %3, align 4
  %14 = call i32 @place_by_array(i32 noundef 0, i32 noundef %13)
  br label %16

15:
  br label %16

16:
  %17 = phi i32 [ %14, %12 ], [ 92, %15 ]
  store i32 %17, ptr %4, align 4
  %18 = load i32, ptr %3, align 4
  %19 = shl i32 1, %18
  %20 = sub i32 %19, 1
  %21 = call i32 @place_by_bits(i32 noundef %20, i32 noundef 0, i32 noundef 0, i32 noundef 0)
  store i32 %21, ptr %5, align 4
  %22 = load i32, ptr %4, align 4
  %23 = load i32, ptr %3, align 4
  %24 = sub nsw i32 %23, 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [5 x i32], ptr @main.expected, i64 0, i64 %25
  %27 = load i32, ptr %26, align 4
  %28 = icmp ne i32 %22, %27
  br i1 %28, label %33, label %29

29:
  %30 = load i32, ptr %5, align 4
  %31 = load i32, ptr %4, align 4
  %32 = icmp ne i32 %30, %31
  br label %33

33:
  %34 = phi i1 [ true, %16 ], [ %32, %29 ]
  %35 = zext i1 %34 to i32
  %36 = load i32, ptr %2, align 4
  %37 = add nsw i32 %36, %35
  store i32 %37, ptr %2, align 4
  %38 = load i32, ptr %5, align 4
  %39 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %38)
  br label %40

40:
  %41 = load i32, ptr %3, align 4
  %42 = add nsw i32 %41, 1
  store i32 %42, ptr %3, align 4
  br label %6, !llvm.loop !10

43:
  %44 = call i32 @tour(i32 noundef 0, i32 noundef 0)
  %45 = load i32, ptr %2, align 4
  %46 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, i32 noundef %44, i32 noundef %45)
  %47 = load i32, ptr %2, align 4
  ret i32 %47
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
