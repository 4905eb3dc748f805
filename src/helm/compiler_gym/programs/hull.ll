source_filename = "hull.c"

%struct.point = type { i32, i32 }

@points = internal global [80 x %struct.point] zeroinitializer, align 16
@hull = internal global [81 x %struct.point] zeroinitializer, align 16
@wrapped = internal global [81 x %struct.point] zeroinitializer, align 16
@.str = private unnamed_addr constant [16 x i8] c"%d %d %d %d %d\0A\00", align 1

define dso_local i32 @turn(i64 %0, i64 %1, i64 %2) #0 {
  %4 = alloca %struct.point, align 4
  %5 = alloca %struct.point, align 4
  %6 = alloca %struct.point, align 4
  store i64 %0, ptr %4, align 4
  store i64 %1, ptr %5, align 4
  store i64 %2, ptr %6, align 4
  %7 = getelementptr inbounds nuw %struct.point, ptr %5, i32 0, i32 0
  %8 = load i32, ptr %7, align 4
  %9 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 0
  %10 = load i32, ptr %9, align 4
  %11 = sub nsw i32 %8, %10
  %12 = getelementptr inbounds nuw %struct.point, ptr %6, i32 0, i32 1
  %13 = load i32, ptr %12, align 4
  %14 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 1
  %15 = load i32, ptr %14, align 4
  %16 = sub nsw i32 %13, %15
  %17 = mul nsw i32 %11, %16
  %18 = getelementptr inbounds nuw %struct.point, ptr %5, i32 0, i32 1
  %19 = load i32, ptr %18, align 4
  %20 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 1
  %21 = load i32, ptr %20, align 4
  %22 = sub nsw i32 %19, %21
  %23 = getelementptr inbounds nuw %struct.point, ptr %6, i32 0, i32 0
  %24 = load i32, ptr %23, align 4
  %25 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 0
  %26 = load i32, ptr %25, align 4
  %27 = sub nsw i32 %24, %26
  %28 = mul nsw i32 %22, %27
  %29 = sub nsw i32 %17, %28
  ret i32 %29
}

define dso_local i32 @is_before(i64 %0, i64 %1) #0 {
  %3 = alloca %struct.point, align 4
  %4 = alloca %struct.point, align 4
  store i64 %0, ptr %3, align 4
  store i64 %1, ptr %4, align 4
  %5 = getelementptr inbounds nuw %struct.point, ptr %3, i32 0, i32 0
  %6 = load i32, ptr %5, align 4
  %7 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 0
  %8 = load i32, ptr %7, align 4
  %9 = icmp slt i32 %6, %8
  br i1 %9, label %24, label %10

10:
  %11 = getelementptr inbounds nuw %struct.point, ptr %3, i32 0, i32 0
  %12 = load i32, ptr %11, align 4
  %13 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 0
  %14 = load i32, ptr %13, align 4
  %15 = icmp eq i32 %12, %14
  br i1 %15, label %16, label %22

16:
  %17 = getelementptr inbounds nuw %struct.point, ptr %3, i32 0, i32 1
  %18 = load i32, ptr %17, align 4
  %19 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 1
  %20 = load i32, ptr %19, align 4
  %21 = icmp slt i32 %18, %20
  br label %22

22:
  %23 = phi i1 [ false, %10 ], [ %21, %16 ]
  br label %24

24:
  %25 = phi i1 [ true, %2 ], [ %23, %22 ]
  %26 = zext i1 %25 to i32
  ret i32 %26
}

define dso_local i32 @squared(i64 %0, i64 %1) #0 {
  %3 = alloca %struct.point, align 4
  %4 = alloca %struct.point, align 4
  store i64 %0, ptr %3, align 4
  store i64 %1, ptr %4, align 4
  %5 = getelementptr inbounds nuw %struct.point, ptr %3, i32 0, i32 0
  %6 = load i32, ptr %5, align 4
  %7 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 0
  %8 = load i32, ptr %7, align 4
  %9 = sub nsw i32 %6, %8
  %10 = getelementptr inbounds nuw %struct.point, ptr %3, i32 0, i32 0
  %11 = load i32, ptr %10, align 4
  %12 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 0
  %13 = load i32, ptr %12, align 4
  %14 = sub nsw i32 %11, %13
  %15 = mul nsw i32 %9, %14
  %16 = getelementptr inbounds nuw %struct.point, ptr %3, i32 0, i32 1
  %17 = load i32, ptr %16, align 4
  %18 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 1
  %19 = load i32, ptr %18, align 4
  %20 = sub nsw i32 %17, %19
  %21 = getelementptr inbounds nuw %struct.point, ptr %3, i32 0, i32 1
  %22 = load i32, ptr %21, align 4
  %23 = getelementptr inbounds nuw %struct.point, ptr %4, i32 0, i32 1
  %24 = load i32, ptr %23, align 4
  %25 = sub nsw i32 %22, %24
  %26 = mul nsw i32 %20, %25
  %27 = add nsw i32 %15, %26
  ret i32 %27
}

define dso_local void @sort_points() #0 {
  %1 = alloca i32, align 4
  %2 = alloca %struct.point, align 4
  %3 = alloca i32, align 4
  store i32 1, ptr %1, align 4
  br label %4

4:
  %5 = load i32, ptr %1, align 4
  %6 = icmp slt i32 %5, 80
  br i1 %6, label %7, label %44

7:
  %8 = load i32, ptr %1, align 4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %9
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %2, ptr align 8 %10, i64 8, i1 false)
  %11 = load i32, ptr %1, align 4
  store i32 %11, ptr %3, align 4
  br label %12

12:
  %13 = load i32, ptr %3, align 4
  %14 = icmp ne i32 %13, 0
  br i1 %14, label %15, label %24

15:
  %16 = load i32, ptr %3, align 4
  %17 = sub nsw i32 %16, 1
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %18
  %20 = load i64, ptr %2, align 4
  %21 = load i64, ptr %19, align 8
  %22 = call i32 @is_before(i64 %20, i64 %21)
  %23 = icmp ne i32 %22, 0
  br label %24

24:
  %25 = phi i1 [ false, %12 ], [ %23, %15 ]
  br i1 %25, label %26, label %37

26:
  %27 = load i32, ptr %3, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %28
  %30 = load i32, ptr %3, align 4
  %31 = sub nsw i32 %30, 1
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %32
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %29, ptr align 8 %33, i64 8, i1 false)
  br label %34

34:
  %35 = load i32, ptr %3, align 4
  %36 = add nsw i32 %35, -1
  store i32 %36, ptr %3, align 4
  br label %12, !llvm.loop !4

37:
  %38 = load i32, ptr %3, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %39
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %40, ptr align 4 %2, i64 8, i1 false)
  br label %41

41:
  %42 = load i32, ptr %1, align 4
  %43 = add nsw i32 %42, 1
  store i32 %43, ptr %1, align 4
  br label %4, !llvm.loop !6

44:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

define dso_local i32 @make_hull() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  br label %5

5:
  %6 = load i32, ptr %2, align 4
  %7 = icmp slt i32 %6, 80
  br i1 %7, label %8, label %45

8:
  br label %9

9:
  %10 = load i32, ptr %1, align 4
  %11 = icmp sge i32 %10, 2
  br i1 %11, label %12, label %29

12:
  %13 = load i32, ptr %1, align 4
  %14 = sub nsw i32 %13, 2
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [81 x %struct.point], ptr @hull, i64 0, i64 %15
  %17 = load i32, ptr %1, align 4
  %18 = sub nsw i32 %17, 1
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [81 x %struct.point], ptr @hull, i64 0, i64 %19
  %21 = load i32, ptr %2, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %22
  %24 = load i64, ptr %16, align 8
  %25 = load i64, ptr %20, align 8
  %26 = load i64, ptr %23, align 8
  %27 = call i32 @turn(i64 %24, i64 %25, i64 %26)
  %28 = icmp sle i32 %27, 0
  br label %29

29:
  %30 = phi i1 [ false, %9 ], [ %28, %12 ]
  br i1 %30, label %31, label %34

31:
  %32 = load i32, ptr %1, align 4
  %33 = add nsw i32 %32, -1
  store i32 %33, ptr %1, align 4
  br label %9, !llvm.loop !7

34:
  %35 = load i32, ptr %1, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %1, align 4
  %37 = sext i32 %35 to i64
  %38 = getelementptr inbounds [81 x %struct.point], ptr @hull, i64 0, i64 %37
  %39 = load i32, ptr %2, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %40
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %38, ptr align 8 %41, i64 8, i1 false)
  br label %42

42:
  %43 = load i32, ptr %2, align 4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %2, align 4
  br label %5, !llvm.loop !8

45:
  %46 = load i32, ptr %1, align 4
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %3, align 4
  store i32 78, ptr %4, align 4
  br label %48

48:
  %49 = load i32, ptr %4, align 4
  %50 = icmp sge i32 %49, 0
  br i1 %50, label %51, label %89

51:
  br label %52

52:
  %53 = load i32, ptr %1, align 4
  %54 = load i32, ptr %3, align 4
  %55 = icmp sge i32 %53, %54
  br i1 %55, label %56, label %73

56:
  %57 = load i32, ptr %1, align 4
  %58 = sub nsw i32 %57, 2
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [81 x %struct.point], ptr @hull, i64 0, i64 %59
  %61 = load i32, ptr %1, align 4
  %62 = sub nsw i32 %61, 1
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [81 x %struct.point], ptr @hull, i64 0, i64 %63
  %65 = load i32, ptr %4, align 4
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %66
  %68 = load i64, ptr %60, align 8
  %69 = load i64, ptr %64, align 8
  %70 = load i64, ptr %67, align 8
  %71 = call i32 @turn(i64 %68, i64 %69, i64 %70)
  %72 = icmp sle i32 %71, 0
  br label %73

73:
  %74 = phi i1 [ false, %52 ], [ %72, %56 ]
  br i1 %74, label %75, label %78

75:
  %76 = load i32, ptr %1, align 4
  %77 = add nsw i32 %76, -1
  store i32 %77, ptr %1, align 4
  br label %52, !llvm.loop !9

78:
  %79 = load i32, ptr %1, align 4
  %80 = add nsw i32 %79, 1
  store i32 %80, ptr %1, align 4
  %81 = sext i32 %79 to i64
  %82 = getelementptr inbounds [81 x %struct.point], ptr @hull, i64 0, i64 %81
  %83 = load i32, ptr %4, align 4
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %84
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %82, ptr align 8 %85, i64 8, i1 false)
  br label %86

86:
  %87 = load i32, ptr %4, align 4
  %88 = add nsw i32 %87, -1
  store i32 %88, ptr %4, align 4
  br label %48, !llvm.loop !10

89:
  %90 = load i32, ptr %1, align 4
  %91 = sub nsw i32 %90, 1
  ret i32 %91
}

define dso_local i32 @wrap() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  br label %6

6:
  %7 = load i32, ptr %1, align 4
  %8 = add nsw i32 %7, 1
  store i32 %8, ptr %1, align 4
  %9 = sext i32 %7 to i64
  %10 = getelementptr inbounds [81 x %struct.point], ptr @wrapped, i64 0, i64 %9
  %11 = load i32, ptr %2, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %12
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %10, ptr align 8 %13, i64 8, i1 false)
  %14 = load i32, ptr %2, align 4
  %15 = icmp ne i32 %14, 0
  %16 = zext i1 %15 to i64
  %17 = select i1 %15, i32 0, i32 1
  store i32 %17, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %18

18:
  %19 = load i32, ptr %4, align 4
  %20 = icmp slt i32 %19, 80
  br i1 %20, label %21, label %66

21:
  %22 = load i32, ptr %2, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %23
  %25 = load i32, ptr %3, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %26
  %28 = load i32, ptr %4, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %29
  %31 = load i64, ptr %24, align 8
  %32 = load i64, ptr %27, align 8
  %33 = load i64, ptr %30, align 8
  %34 = call i32 @turn(i64 %31, i64 %32, i64 %33)
  store i32 %34, ptr %5, align 4
  %35 = load i32, ptr %5, align 4
  %36 = icmp slt i32 %35, 0
  br i1 %36, label %60, label %37

37:
  %38 = load i32, ptr %5, align 4
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %40, label %62

40:
  %41 = load i32, ptr %2, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %42
  %44 = load i32, ptr %4, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %45
  %47 = load i64, ptr %43, align 8
  %48 = load i64, ptr %46, align 8
  %49 = call i32 @squared(i64 %47, i64 %48)
  %50 = load i32, ptr %2, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %51
  %53 = load i32, ptr %3, align 4
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %54
  %56 = load i64, ptr %52, align 8
  %57 = load i64, ptr %55, align 8
  %58 = call i32 @squared(i64 %56, i64 %57)
  %59 = icmp sgt i32 %49, %58
  br i1 %59, label %60, label %62

60:
  %61 = load i32, ptr %4, align 4
  store i32 %61, ptr %3, align 4
  br label %62

62:
  br label %63

63:
  %64 = load i32, ptr %4, align 4
  %65 = add nsw i32 %64, 1
  store i32 %65, ptr %4, align 4
  br label %18, !llvm.loop !11

66:
  %67 = load i32, ptr %3, align 4
  store i32 %67, ptr %2, align 4
  br label %68

68:
  %69 = load i32, ptr %2, align 4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %70
  %72 = load i64, ptr %71, align 8
  %73 = load i64, ptr @wrapped, align 16
  %74 = call i32 @squared(i64 %72, i64 %73)
  %75 = icmp ne i32 %74, 0
  br i1 %75, label %76, label %79

76:
  %77 = load i32, ptr %1, align 4
  %78 = icmp slt i32 %77, 80
  br label %79

79:
  %80 = phi i1 [ false, %68 ], [ %78, %76 ]
  br i1 %80, label %6, label %81, !llvm.loop !12

81:
  %82 = load i32, ptr %1, align 4
  ret i32 %82
}

define dso_local i32 @twice_area(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca %struct.point, align 4
  %8 = alloca %struct.point, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %9

9:
  %10 = load i32, ptr %6, align 4
  %11 = load i32, ptr %4, align 4
  %12 = icmp slt i32 %10, %11
  br i1 %12, label %13, label %41

13:
  %14 = load ptr, ptr %3, align 8
  %15 = load i32, ptr %6, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds %struct.point, ptr %14, i64 %16
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %7, ptr align 4 %17, i64 8, i1 false)
  %18 = load ptr, ptr %3, align 8
  %19 = load i32, ptr %6, align 4
  %20 = add nsw i32 %19, 1
  %21 = load i32, ptr %4, align 4
  %22 = srem i32 %20, %21
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds %struct.point, ptr %18, i64 %23
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %8, ptr align 4 %24, i64 8, i1 false)
  %25 = getelementptr inbounds nuw %struct.point, ptr %7, i32 0, i32 0
  %26 = load i32, ptr %25, align 4
  %27 = getelementptr inbounds nuw %struct.point, ptr %8, i32 0, i32 1
  %28 = load i32, ptr %27, align 4
  %29 = mul nsw i32 %26, %28
  %30 = getelementptr inbounds nuw %struct.point, ptr %7, i32 0, i32 1
  %31 = load i32, ptr %30, align 4
  %32 = getelementptr inbounds nuw %struct.point, ptr %8, i32 0, i32 0
  %33 = load i32, ptr %32, align 4
  %34 = mul nsw i32 %31, %33
  %35 = sub nsw i32 %29, %34
  %36 = load i32, ptr %5, align 4
  %37 = add nsw i32 %36, %35
  store i32 %37, ptr %5, align 4
  br label %38

38:
  %39 = load i32, ptr %6, align 4
  %40 = add nsw i32 %39, 1
  store i32 %40, ptr %6, align 4
  br label %9, !llvm.loop !13

41:
  %42 = load i32, ptr %5, align 4
  ret i32 %42
}

define dso_local i32 @gcd(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %4, align 4
  %6 = icmp ne i32 %5, 0
  br i1 %6, label %7, label %13

7:
  %8 = load i32, ptr %4, align 4
  %9 = load i32, ptr %3, align 4
  %10 = load i32, ptr %4, align 4
  %11 = srem i32 %9, %10
  %12 = call i32 @gcd(i32 noundef %8, i32 noundef %11)
  br label %15

13:
  %14 = load i32, ptr %3, align 4
  br label %15

15:
  %16 = phi i32 [ %12, %7 ], [ %14, %13 ]
  ret i32 %16
}

define dso_local i32 @count_inside(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca %struct.point, align 4
  %8 = alloca %struct.point, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %11

11:
  %12 = load i32, ptr %6, align 4
  %13 = load i32, ptr %4, align 4
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %73

15:
  %16 = load ptr, ptr %3, align 8
  %17 = load i32, ptr %6, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds %struct.point, ptr %16, i64 %18
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %7, ptr align 4 %19, i64 8, i1 false)
  %20 = load ptr, ptr %3, align 8
  %21 = load i32, ptr %6, align 4
  %22 = add nsw i32 %21, 1
  %23 = load i32, ptr %4, align 4
  %24 = srem i32 %22, %23
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds %struct.point, ptr %20, i64 %25
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %8, ptr align 4 %26, i64 8, i1 false)
  %27 = getelementptr inbounds nuw %struct.point, ptr %7, i32 0, i32 0
  %28 = load i32, ptr %27, align 4
  %29 = getelementptr inbounds nuw %struct.point, ptr %8, i32 0, i32 0
  %30 = load i32, ptr %29, align 4
  %31 = icmp sgt i32 %28, %30
  br i1 %31, label %32, label %38

32:
  %33 = getelementptr inbounds nuw %struct.point, ptr %7, i32 0, i32 0
  %34 = load i32, ptr %33, align 4
  %35 = getelementptr inbounds nuw %struct.point, ptr %8, i32 0, i32 0
  %36 = load i32, ptr %35, align 4
  %37 = sub nsw i32 %34, %36
  br label %44

38:
  %39 = getelementptr inbounds nuw %struct.point, ptr %8, i32 0, i32 0
  %40 = load i32, ptr %39, align 4
  %41 = getelementptr inbounds nuw %struct.point, ptr %7, i32 0, i32 0
  %42 = load i32, ptr %41, align 4
  %43 = sub nsw i32 %40, %42
  br label %44

44:
  %45 = phi i32 [ %37, %32 ], [ %43, %38 ]
  store i32 %45, ptr %9, align 4
  %46 = getelementptr inbounds nuw %struct.point, ptr %7, i32 0, i32 1
  %47 = load i32, ptr %46, align 4
  %48 = getelementptr inbounds nuw %struct.point, ptr %8, i32 0, i32 1
  %49 = load i32, ptr %48, align 4
  %50 = icmp sgt i32 %47, %49
  br i1 %50, label %51, label %57

51:
  %52 = getelementptr inbounds nuw %struct.point, ptr %7, i32 0, i32 1
  %53 = load i32, ptr %52, align 4
  %54 = getelementptr inbounds nuw %struct.point, ptr %8, i32 0, i32 1
  %55 = load i32, ptr %54, align 4
  %56 = sub nsw i32 %53, %55
  br label %63

57:
  %58 = getelementptr inbounds nuw %struct.point, ptr %8, i32 0, i32 1
  %59 = load i32, ptr %58, align 4
  %60 = getelementptr inbounds nuw %struct.point, ptr %7, i32 0, i32 1
  %61 = load i32, ptr %60, align 4
  %62 = sub nsw i32 %59, %61
  br label %63

63:
  %64 = phi i32 [ %56, %51 ], [ %62, %57 ]
  store i32 %64, ptr %10, align 4
  %65 = load i32, ptr %9, align 4
  %66 = load i32, ptr %10, align 4
  %67 = call i32 @gcd(i32 noundef %65, i32 noundef %66)
  %68 = load i32, ptr %5, align 4
  %69 = add nsw i32 %68, %67
  store i32 %69, ptr %5, align 4
  br label %70

70:
  %71 = load i32, ptr %6, align 4
  %72 = add nsw i32 %71, 1
  store i32 %72, ptr %6, align 4
  br label %11, !llvm.loop !14

73:
  %74 = load ptr, ptr %3, align 8
  %75 = load i32, ptr %4, align 4
  %76 = call i32 @twice_area(ptr noundef %74, i32 noundef %75)
  %77 = load i32, ptr %5, align 4
  %78 = sub nsw i32 %76, %77
  %79 = sdiv i32 %78, 2
  %80 = add nsw i32 %79, 1
  ret i32 %80
}

define dso_local i32 @nearest() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 1073741824, ptr %1, align 4
  store i32 0, ptr %2, align 4
  br label %4

4:
  %5 = load i32, ptr %2, align 4
  %6 = icmp slt i32 %5, 80
  br i1 %6, label %7, label %71

7:
  %8 = load i32, ptr %2, align 4
  %9 = add nsw i32 %8, 1
  store i32 %9, ptr %3, align 4
  br label %10

10:
  %11 = load i32, ptr %3, align 4
  %12 = icmp slt i32 %11, 80
  br i1 %12, label %13, label %39

13:
  %14 = load i32, ptr %3, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %15
  %17 = getelementptr inbounds nuw %struct.point, ptr %16, i32 0, i32 0
  %18 = load i32, ptr %17, align 8
  %19 = load i32, ptr %2, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %20
  %22 = getelementptr inbounds nuw %struct.point, ptr %21, i32 0, i32 0
  %23 = load i32, ptr %22, align 8
  %24 = sub nsw i32 %18, %23
  %25 = load i32, ptr %3, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %26
  %28 = getelementptr inbounds nuw %struct.point, ptr %27, i32 0, i32 0
  %29 = load i32, ptr %28, align 8
  %30 = load i32, ptr %2, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %31
  %33 = getelementptr inbounds nuw %struct.point, ptr %32, i32 0, i32 0
  %34 = load i32, ptr %33, align 8
  %35 = sub nsw i32 %29, %34
  %36 = mul nsw i32 %24, %35
  %37 = load i32, ptr %1, align 4
  %38 = icmp slt i32 %36, %37
  br label %39

39:
  %40 = phi i1 [ false, %10 ], [ %38, %13 ]
  br i1 %40, label %41, label %67

41:
  %42 = load i32, ptr %2, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %43
  %45 = load i32, ptr %3, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %46
  %48 = load i64, ptr %44, align 8
  %49 = load i64, ptr %47, align 8
  %50 = call i32 @squared(i64 %48, i64 %49)
  %51 = load i32, ptr %1, align 4
  %52 = icmp slt i32 %50, %51
  br i1 %52, label %53, label %63

53:
  %54 = load i32, ptr %2, align 4
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %55
  %57 = load i32, ptr %3, align 4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %58
  %60 = load i64, ptr %56, align 8
  %61 = load i64, ptr %59, align 8
  %62 = call i32 @squared(i64 %60, i64 %61)
  store i32 %62, ptr %1, align 4
  br label %63

63:
  br label %64

64:
  %65 = load i32, ptr %3, align 4
  %66 = add nsw i32 %65, 1
  store i32 %66, ptr %3, align 4
  br label %10, !llvm.loop !15

67:
  br label %68

68:
  %69 = load i32, ptr %2, align 4
  %70 = add nsw i32 %69, 1
  store i32 %70, ptr %2, align 4
  br label %4, !llvm.loop !16

71:
  %72 = load i32, ptr %1, align 4
  ret i32 %72
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 21, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %7

7:
  %8 = load i32, ptr %3, align 4
  %9 = icmp slt i32 %8, 80
  br i1 %9, label %10, label %32

10:
  %11 = load i32, ptr %2, align 4
  %12 = mul i32 %11, 1664525
  %13 = add i32 %12, 1013904223
  store i32 %13, ptr %2, align 4
  %14 = load i32, ptr %2, align 4
  %15 = lshr i32 %14, 22
  %16 = load i32, ptr %3, align 4
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %17
  %19 = getelementptr inbounds nuw %struct.point, ptr %18, i32 0, i32 0
  store i32 %15, ptr %19, align 8
  %20 = load i32, ptr %2, align 4
  %21 = mul i32 %20, 1664525
  %22 = add i32 %21, 1013904223
  store i32 %22, ptr %2, align 4
  %23 = load i32, ptr %2, align 4
  %24 = lshr i32 %23, 22
  %25 = load i32, ptr %3, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [80 x %struct.point], ptr @points, i64 0, i64 %26
  %28 = getelementptr inbounds nuw %struct.point, ptr %27, i32 0, i32 1
  store i32 %24, ptr %28, align 4
  br label %29

29:
  %30 = load i32, ptr %3, align 4
  %31 = add nsw i32 %30, 1
  store i32 %31, ptr %3, align 4
  br label %7, !llvm.loop !17

32:
  call void @sort_points()
  %33 = call i32 @make_hull()
  store i32 %33, ptr %4, align 4
  %34 = call i32 @wrap()
  store i32 %34, ptr %5, align 4
  %35 = load i32, ptr %4, align 4
  %36 = call i32 @twice_area(ptr noundef @hull, i32 noundef %35)
  store i32 %36, ptr %6, align 4
  %37 = load i32, ptr %4, align 4
  %38 = load i32, ptr %5, align 4
  %39 = load i32, ptr %6, align 4
  %40 = load i32, ptr %4, align 4
  %41 = call i32 @count_inside(ptr noundef @hull, i32 noundef %40)
  %42 = call i32 @nearest()
  %43 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %37, i32 noundef %38, i32 noundef %39, i32 noundef %41, i32 noundef %42)
  %44 = load i32, ptr %4, align 4
  %45 = load i32, ptr %5, align 4
  %46 = icmp ne i32 %44, %45
  br i1 %46, label %52, label %47

47:
  %48 = load i32, ptr %6, align 4
  %49 = load i32, ptr %5, align 4
  %50 = call i32 @twice_area(ptr noundef @wrapped, i32 noundef %49)
  %51 = icmp ne i32 %48, %50
  br label %52

52:
  %53 = phi i1 [ true, %32 ], [ %51, %47 ]
  %54 = zext i1 %53 to i32
  ret i32 %54
}

declare dso_local i32 @printf(ptr noundef, ...) #2

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { nounwind }
attributes #2 = { "no-trapping-math"="true" }


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
