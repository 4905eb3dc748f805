source_filename = "floyd.c"

@distance = internal global [28 x [28 x i32]] zeroinitializer, align 16
@next = internal global [28 x [28 x i32]] zeroinitializer, align 16
@reach = internal global [28 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [13 x i8] c"%d %d %d %d\0A\00", align 1

define dso_local void @make_graph() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 42, ptr %1, align 4
  store i32 0, ptr %2, align 4
  br label %5

5:
  %6 = load i32, ptr %2, align 4
  %7 = icmp slt i32 %6, 28
  br i1 %7, label %8, label %89

8:
  store i32 0, ptr %3, align 4
  br label %9

9:
  %10 = load i32, ptr %3, align 4
  %11 = icmp slt i32 %10, 28
  br i1 %11, label %12, label %85

12:
  %13 = load i32, ptr %1, align 4
  %14 = mul i32 %13, 1103515245
  %15 = add i32 %14, 12345
  store i32 %15, ptr %1, align 4
  %16 = load i32, ptr %2, align 4
  %17 = load i32, ptr %3, align 4
  %18 = icmp ne i32 %16, %17
  br i1 %18, label %19, label %24

19:
  %20 = load i32, ptr %1, align 4
  %21 = lshr i32 %20, 16
  %22 = urem i32 %21, 100
  %23 = icmp ult i32 %22, 7
  br label %24

24:
  %25 = phi i1 [ false, %12 ], [ %23, %19 ]
  %26 = zext i1 %25 to i32
  store i32 %26, ptr %4, align 4
  %27 = load i32, ptr %2, align 4
  %28 = load i32, ptr %3, align 4
  %29 = icmp eq i32 %27, %28
  br i1 %29, label %30, label %31

30:
  br label %42

31:
  %32 = load i32, ptr %4, align 4
  %33 = icmp ne i32 %32, 0
  br i1 %33, label %34, label %39

34:
  %35 = load i32, ptr %1, align 4
  %36 = lshr i32 %35, 24
  %37 = srem i32 %36, 50
  %38 = add nsw i32 %37, 1
  br label %40

39:
  br label %40

40:
  %41 = phi i32 [ %38, %34 ], [ 1000000, %39 ]
  br label %42

42:
  %43 = phi i32 [ 0, %30 ], [ %41, %40 ]
  %44 = load i32, ptr %2, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds [28 x [28 x i32]], ptr @distance, i64 0, i64 %45
  %47 = load i32, ptr %3, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [28 x i32], ptr %46, i64 0, i64 %48
  store i32 %43, ptr %49, align 4
  %50 = load i32, ptr %4, align 4
  %51 = icmp ne i32 %50, 0
  br i1 %51, label %56, label %52

52:
  %53 = load i32, ptr %2, align 4
  %54 = load i32, ptr %3, align 4
  %55 = icmp eq i32 %53, %54
  br i1 %55, label %56, label %58

56:
  %57 = load i32, ptr %3, align 4
  br label %59

58:
  br label %59

59:
  %60 = phi i32 [ %57, %56 ], [ -1, %58 ]
  %61 = load i32, ptr %2, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [28 x [28 x i32]], ptr @next, i64 0, i64 %62
  %64 = load i32, ptr %3, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [28 x i32], ptr %63, i64 0, i64 %65
  store i32 %60, ptr %66, align 4
  %67 = load i32, ptr %4, align 4
  %68 = icmp ne i32 %67, 0
  br i1 %68, label %73, label %69

69:
  %70 = load i32, ptr %2, align 4
  %71 = load i32, ptr %3, align 4
  %72 = icmp eq i32 %70, %71
  br i1 %72, label %73, label %81

73:
  %74 = load i32, ptr %3, align 4
  %75 = shl i32 1, %74
  %76 = load i32, ptr %2, align 4
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [28 x i32], ptr @reach, i64 0, i64 %77
  %79 = load i32, ptr %78, align 4
  %80 = or i32 %79, %75
  store i32 %80, ptr %78, align 4
  br label %81

81:
  br label %82

82:
  %83 = load i32, ptr %3, align 4
  %84 = add nsw i32 %83, 1
  store i32 %84, ptr %3, align 4
  br label %9, !llvm.loop !4

85:
  br label %86

86:
  %87 = load i32, ptr %2, align 4
  %88 = add nsw i32 %87, 1
  store i32 %88, ptr %2, align 4
  br label %5, !llvm.loop !6

89:
  ret void
}

define dso_local void @find_paths() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %4

4:
  %5 = load i32, ptr %1, align 4
  %6 = icmp slt i32 %5, 28
  br i1 %6, label %7, label %86

7:
  store i32 0, ptr %2, align 4
  br label %8

8:
  %9 = load i32, ptr %2, align 4
  %10 = icmp slt i32 %9, 28
  br i1 %10, label %11, label %82

11:
  store i32 0, ptr %3, align 4
  br label %12

12:
  %13 = load i32, ptr %3, align 4
  %14 = icmp slt i32 %13, 28
  br i1 %14, label %15, label %78

15:
  %16 = load i32, ptr %2, align 4
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds [28 x [28 x i32]], ptr @distance, i64 0, i64 %17
  %19 = load i32, ptr %1, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [28 x i32], ptr %18, i64 0, i64 %20
  %22 = load i32, ptr %21, align 4
  %23 = load i32, ptr %1, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [28 x [28 x i32]], ptr @distance, i64 0, i64 %24
  %26 = load i32, ptr %3, align 4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [28 x i32], ptr %25, i64 0, i64 %27
  %29 = load i32, ptr %28, align 4
  %30 = add nsw i32 %22, %29
  %31 = load i32, ptr %2, align 4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [28 x [28 x i32]], ptr @distance, i64 0, i64 %32
  %34 = load i32, ptr %3, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [28 x i32], ptr %33, i64 0, i64 %35
  %37 = load i32, ptr %36, align 4
  %38 = icmp slt i32 %30, %37
  br i1 %38, label %39, label %74

39:
  %40 = load i32, ptr %2, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [28 x [28 x i32]], ptr @distance, i64 0, i64 %41
  %43 = load i32, ptr %1, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [28 x i32], ptr %42, i64 0, i64 %44
  %46 = load i32, ptr %45, align 4
  %47 = load i32, ptr %1, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [28 x [28 x i32]], ptr @distance, i64 0, i64 %48
  %50 = load i32, ptr %3, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [28 x i32], ptr %49, i64 0, i64 %51
  %53 = load i32, ptr %52, align 4
  %54 = add nsw i32 %46, %53
  %55 = load i32, ptr %2, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [28 x [28 x i32]], ptr @distance, i64 0, i64 %56
  %58 = load i32, ptr %3, align 4
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [28 x i32], ptr %57, i64 0, i64 %59
  store i32 %54, ptr %60, align 4
  %61 = load i32, ptr %2, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [28 x [28 x i32]], ptr @next, i64 0, i64 %62
  %64 = load i32, ptr %1, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [28 x i32], ptr %63, i64 0, i64 %65
  %67 = load i32, ptr %66, align 4
  %68 = load i32, ptr %2, align 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [28 x [28 x i32]], ptr @next, i64 0, i64 %69
  %71 = load i32, ptr %3, align 4
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds [28 x i32], ptr %70, i64 0, i64 %72
  store i32 %67, ptr %73, align 4
  br label %74

74:
  br label %75

75:
  %76 = load i32, ptr %3, align 4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %3, align 4
  br label %12, !llvm.loop !7

78:
  br label %79

79:
  %80 = load i32, ptr %2, align 4
  %81 = add nsw i32 %80, 1
  store i32 %81, ptr %2, align 4
  br label %8, !llvm.loop !8

82:
  br label %83

83:
  %84 = load i32, ptr %1, align 4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %1, align 4
  br label %4, !llvm.loop !9

86:
  ret void
}

define dso_local void @close_over() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %3

3:
  %4 = load i32, ptr %1, align 4
  %5 = icmp slt i32 %4, 28
  br i1 %5, label %6, label %37

6:
  store i32 0, ptr %2, align 4
  br label %7

7:
  %8 = load i32, ptr %2, align 4
  %9 = icmp slt i32 %8, 28
  br i1 %9, label %10, label %33

10:
  %11 = load i32, ptr %2, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [28 x i32], ptr @reach, i64 0, i64 %12
  %14 = load i32, ptr %13, align 4
  %15 = load i32, ptr %1, align 4
  %16 = lshr i32 %14, %15
  %17 = and i32 %16, 1
  %18 = icmp ne i32 %17, 0
  br i1 %18, label %19, label %29

19:
  %20 = load i32, ptr %1, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [28 x i32], ptr @reach, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4
  %24 = load i32, ptr %2, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [28 x i32], ptr @reach, i64 0, i64 %25
  %27 = load i32, ptr %26, align 4
  %28 = or i32 %27, %23
  store i32 %28, ptr %26, align 4
  br label %29

29:
  br label %30

30:
  %31 = load i32, ptr %2, align 4
  %32 = add nsw i32 %31, 1
  store i32 %32, ptr %2, align 4
  br label %7, !llvm.loop !10

33:
  br label %34

34:
  %35 = load i32, ptr %1, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %1, align 4
  br label %3, !llvm.loop !11

37:
  ret void
}

define dso_local i32 @count_hops(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  br label %6

6:
  %7 = load i32, ptr %3, align 4
  %8 = load i32, ptr %4, align 4
  %9 = icmp ne i32 %7, %8
  br i1 %9, label %10, label %13

10:
  %11 = load i32, ptr %5, align 4
  %12 = icmp slt i32 %11, 28
  br label %13

13:
  %14 = phi i1 [ false, %6 ], [ %12, %10 ]
  br i1 %14, label %15, label %26

15:
  %16 = load i32, ptr %5, align 4
  %17 = add nsw i32 %16, 1
  store i32 %17, ptr %5, align 4
  br label %18

18:
  %19 = load i32, ptr %3, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [28 x [28 x i32]], ptr @next, i64 0, i64 %20
  %22 = load i32, ptr %4, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [28 x i32], ptr %21, i64 0, i64 %23
  %25 = load i32, ptr %24, align 4
  store i32 %25, ptr %3, align 4
  br label %6, !llvm.loop !12

26:
  %27 = load i32, ptr %5, align 4
  ret i32 %27
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
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  call void @make_graph()
  call void @find_paths()
  call void @close_over()
  store i32 0, ptr %6, align 4
  br label %9

9:
  %10 = load i32, ptr %6, align 4
  %11 = icmp slt i32 %10, 28
  br i1 %11, label %12, label %65

12:
  store i32 0, ptr %7, align 4
  br label %13

13:
  %14 = load i32, ptr %7, align 4
  %15 = icmp slt i32 %14, 28
  br i1 %15, label %16, label %61

16:
  %17 = load i32, ptr %6, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [28 x [28 x i32]], ptr @distance, i64 0, i64 %18
  %20 = load i32, ptr %7, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [28 x i32], ptr %19, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4
  %24 = icmp slt i32 %23, 1000000
  %25 = zext i1 %24 to i32
  store i32 %25, ptr %8, align 4
  %26 = load i32, ptr %8, align 4
  %27 = load i32, ptr %6, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [28 x i32], ptr @reach, i64 0, i64 %28
  %30 = load i32, ptr %29, align 4
  %31 = load i32, ptr %7, align 4
  %32 = lshr i32 %30, %31
  %33 = and i32 %32, 1
  %34 = icmp ne i32 %26, %33
  %35 = zext i1 %34 to i32
  %36 = load i32, ptr %2, align 4
  %37 = add nsw i32 %36, %35
  store i32 %37, ptr %2, align 4
  %38 = load i32, ptr %8, align 4
  %39 = icmp ne i32 %38, 0
  br i1 %39, label %40, label %57

40:
  %41 = load i32, ptr %3, align 4
  %42 = add nsw i32 %41, 1
  store i32 %42, ptr %3, align 4
  %43 = load i32, ptr %6, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [28 x [28 x i32]], ptr @distance, i64 0, i64 %44
  %46 = load i32, ptr %7, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [28 x i32], ptr %45, i64 0, i64 %47
  %49 = load i32, ptr %48, align 4
  %50 = load i32, ptr %4, align 4
  %51 = add nsw i32 %50, %49
  store i32 %51, ptr %4, align 4
  %52 = load i32, ptr %6, align 4
  %53 = load i32, ptr %7, align 4
  %54 = call i32 @count_hops(i32 noundef %52, i32 noundef %53)
  %55 = load i32, ptr %5, align 4
  %56 = add nsw i32 %55, %54
  store i32 %56, ptr %5, align 4
  br label %57

57:
  br label %58

58:
  %59 = load i32, ptr %7, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %7, align 4
  br label %13, !llvm.loop !13

61:
  br label %62

62:
  %63 = load i32, ptr %6, align 4
  %64 = add nsw i32 %63, 1
  store i32 %64, ptr %6, align 4
  br label %9, !llvm.loop !14

65:
  %66 = load i32, ptr %3, align 4
  %67 = load i32, ptr %4, align 4
  %68 = load i32, ptr %5, align 4
  %69 = load i32, ptr %2, align 4
  %70 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %66, i32 noundef %67, i32 noundef %68, i32 noundef %69)
  %71 = load i32, ptr %2, align 4
  %72 = icmp ne i32 %71, 0
  %73 = zext i1 %72 to i32
  ret i32 %73
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
