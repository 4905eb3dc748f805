source_filename = "life.c"

@cells = internal global [32 x [32 x i8]] zeroinitializer, align 16
@scratch = internal global [32 x [32 x i8]] zeroinitializer, align 16
@rows = internal global [32 x i32] zeroinitializer, align 16
@next_rows = internal global [32 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [12 x i8] c"%d %08x %d\0A\00", align 1

define dso_local i32 @count_neighbours(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 -1, ptr %6, align 4
  br label %8

8:
  %9 = load i32, ptr %6, align 4
  %10 = icmp sle i32 %9, 1
  br i1 %10, label %11, label %48

11:
  store i32 -1, ptr %7, align 4
  br label %12

12:
  %13 = load i32, ptr %7, align 4
  %14 = icmp sle i32 %13, 1
  br i1 %14, label %15, label %44

15:
  %16 = load i32, ptr %6, align 4
  %17 = icmp ne i32 %16, 0
  br i1 %17, label %21, label %18

18:
  %19 = load i32, ptr %7, align 4
  %20 = icmp ne i32 %19, 0
  br i1 %20, label %21, label %40

21:
  %22 = load i32, ptr %3, align 4
  %23 = load i32, ptr %6, align 4
  %24 = add nsw i32 %22, %23
  %25 = add nsw i32 %24, 32
  %26 = srem i32 %25, 32
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [32 x [32 x i8]], ptr @cells, i64 0, i64 %27
  %29 = load i32, ptr %4, align 4
  %30 = load i32, ptr %7, align 4
  %31 = add nsw i32 %29, %30
  %32 = add nsw i32 %31, 32
  %33 = srem i32 %32, 32
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [32 x i8], ptr %28, i64 0, i64 %34
  %36 = load i8, ptr %35, align 1
  %37 = zext i8 %36 to i32
  %38 = load i32, ptr %5, align 4
  %39 = add nsw i32 %38, %37
  store i32 %39, ptr %5, align 4
  br label %40

40:
  br label %41

41:
  %42 = load i32, ptr %7, align 4
  %43 = add nsw i32 %42, 1
  store i32 %43, ptr %7, align 4
  br label %12, !llvm.loop !4

44:
  br label %45

45:
  %46 = load i32, ptr %6, align 4
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %6, align 4
  br label %8, !llvm.loop !6

48:
  %49 = load i32, ptr %5, align 4
  ret i32 %49
}

define dso_local void @step_cells() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %6

6:
  %7 = load i32, ptr %1, align 4
  %8 = icmp slt i32 %7, 32
  br i1 %8, label %9, label %51

9:
  store i32 0, ptr %2, align 4
  br label %10

10:
  %11 = load i32, ptr %2, align 4
  %12 = icmp slt i32 %11, 32
  br i1 %12, label %13, label %47

13:
  %14 = load i32, ptr %1, align 4
  %15 = load i32, ptr %2, align 4
  %16 = call i32 @count_neighbours(i32 noundef %14, i32 noundef %15)
  store i32 %16, ptr %3, align 4
  %17 = load i32, ptr %3, align 4
  %18 = icmp eq i32 %17, 3
  br i1 %18, label %34, label %19

19:
  %20 = load i32, ptr %3, align 4
  %21 = icmp eq i32 %20, 2
  br i1 %21, label %22, label %32

22:
  %23 = load i32, ptr %1, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [32 x [32 x i8]], ptr @cells, i64 0, i64 %24
  %26 = load i32, ptr %2, align 4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [32 x i8], ptr %25, i64 0, i64 %27
  %29 = load i8, ptr %28, align 1
  %30 = zext i8 %29 to i32
  %31 = icmp ne i32 %30, 0
  br label %32

32:
  %33 = phi i1 [ false, %19 ], [ %31, %22 ]
  br label %34

34:
  %35 = phi i1 [ true, %13 ], [ %33, %32 ]
  %36 = zext i1 %35 to i32
  %37 = trunc i32 %36 to i8
  %38 = load i32, ptr %1, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [32 x [32 x i8]], ptr @scratch, i64 0, i64 %39
  %41 = load i32, ptr %2, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [32 x i8], ptr %40, i64 0, i64 %42
  store i8 %37, ptr %43, align 1
  br label %44

44:
  %45 = load i32, ptr %2, align 4
  %46 = add nsw i32 %45, 1
  store i32 %46, ptr %2, align 4
  br label %10, !llvm.loop !7

47:
  br label %48

48:
  %49 = load i32, ptr %1, align 4
  %50 = add nsw i32 %49, 1
  store i32 %50, ptr %1, align 4
  br label %6, !llvm.loop !8

51:
  store i32 0, ptr %4, align 4
  br label %52

52:
  %53 = load i32, ptr %4, align 4
  %54 = icmp slt i32 %53, 32
  br i1 %54, label %55, label %80

55:
  store i32 0, ptr %5, align 4
  br label %56

56:
  %57 = load i32, ptr %5, align 4
  %58 = icmp slt i32 %57, 32
  br i1 %58, label %59, label %76

59:
  %60 = load i32, ptr %4, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [32 x [32 x i8]], ptr @scratch, i64 0, i64 %61
  %63 = load i32, ptr %5, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [32 x i8], ptr %62, i64 0, i64 %64
  %66 = load i8, ptr %65, align 1
  %67 = load i32, ptr %4, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [32 x [32 x i8]], ptr @cells, i64 0, i64 %68
  %70 = load i32, ptr %5, align 4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [32 x i8], ptr %69, i64 0, i64 %71
  store i8 %66, ptr %72, align 1
  br label %73

73:
  %74 = load i32, ptr %5, align 4
  %75 = add nsw i32 %74, 1
  store i32 %75, ptr %5, align 4
  br label %56, !llvm.loop !9

76:
  br label %77

77:
  %78 = load i32, ptr %4, align 4
  %79 = add nsw i32 %78, 1
  store i32 %79, ptr %4, align 4
  br label %52, !llvm.loop !10

80:
  ret void
}

define dso_local i32 @turn_left(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = shl i32 %3, 1
  %5 = load i32, ptr %2, align 4
  %6 = lshr i32 %5, 31
  %7 = or i32 %4, %6
  ret i32 %7
}

define dso_local i32 @turn_right(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = lshr i32 %3, 1
  %5 = load i32, ptr %2, align 4
  %6 = shl i32 %5, 31
  %7 = or i32 %4, %6
  ret i32 %7
}

define dso_local void @add_plane(i32 noundef %0, ptr noundef %1, ptr noundef %2, ptr noundef %3) #0 {
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 %0, ptr %5, align 4
  store ptr %1, ptr %6, align 8
  store ptr %2, ptr %7, align 8
  store ptr %3, ptr %8, align 8
  %11 = load ptr, ptr %6, align 8
  %12 = load i32, ptr %11, align 4
  %13 = load i32, ptr %5, align 4
  %14 = and i32 %12, %13
  store i32 %14, ptr %9, align 4
  %15 = load i32, ptr %5, align 4
  %16 = load ptr, ptr %6, align 8
  %17 = load i32, ptr %16, align 4
  %18 = xor i32 %17, %15
  store i32 %18, ptr %16, align 4
  %19 = load ptr, ptr %7, align 8
  %20 = load i32, ptr %19, align 4
  %21 = load i32, ptr %9, align 4
  %22 = and i32 %20, %21
  store i32 %22, ptr %10, align 4
  %23 = load i32, ptr %9, align 4
  %24 = load ptr, ptr %7, align 8
  %25 = load i32, ptr %24, align 4
  %26 = xor i32 %25, %23
  store i32 %26, ptr %24, align 4
  %27 = load i32, ptr %10, align 4
  %28 = load ptr, ptr %8, align 8
  %29 = load i32, ptr %28, align 4
  %30 = or i32 %29, %27
  store i32 %30, ptr %28, align 4
  ret void
}

define dso_local void @step_rows() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %8

8:
  %9 = load i32, ptr %1, align 4
  %10 = icmp slt i32 %9, 32
  br i1 %10, label %11, label %54

11:
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  store i32 -1, ptr %5, align 4
  br label %12

12:
  %13 = load i32, ptr %5, align 4
  %14 = icmp sle i32 %13, 1
  br i1 %14, label %15, label %36

15:
  %16 = load i32, ptr %1, align 4
  %17 = load i32, ptr %5, align 4
  %18 = add nsw i32 %16, %17
  %19 = add nsw i32 %18, 32
  %20 = srem i32 %19, 32
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [32 x i32], ptr @rows, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4
  store i32 %23, ptr %6, align 4
  %24 = load i32, ptr %6, align 4
  %25 = call i32 @turn_left(i32 noundef %24)
  call void @add_plane(i32 noundef %25, ptr noundef %2, ptr noundef %3, ptr noundef %4)
  %26 = load i32, ptr %6, align 4
  %27 = call i32 @turn_right(i32 noundef %26)
  call void @add_plane(i32 noundef %27, ptr noundef %2, ptr noundef %3, ptr noundef %4)
  %28 = load i32, ptr %5, align 4
  %29 = icmp ne i32 %28, 0
  br i1 %29, label %30, label %32

30:
  %31 = load i32, ptr %6, align 4
  call void @add_plane(i32 noundef %31, ptr noundef %2, ptr noundef %3, ptr noundef %4)
  br label %32

32:
  br label %33

33:
  %34 = load i32, ptr %5, align 4
  %35 = add nsw i32 %34, 1
  store i32 %35, ptr %5, align 4
  br label %12, !llvm.loop !11

36:
  %37 = load i32, ptr %4, align 4
  %38 = xor i32 %37, -1
  %39 = load i32, ptr %3, align 4
  %40 = and i32 %38, %39
  %41 = load i32, ptr %2, align 4
  %42 = load i32, ptr %1, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [32 x i32], ptr @rows, i64 0, i64 %43
  %45 = load i32, ptr %44, align 4
  %46 = or i32 %41, %45
  %47 = and i32 %40, %46
  %48 = load i32, ptr %1, align 4
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [32 x i32], ptr @next_rows, i64 0, i64 %49
  store i32 %47, ptr %50, align 4
  br label %51

51:
  %52 = load i32, ptr %1, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %1, align 4
  br label %8, !llvm.loop !12

54:
  store i32 0, ptr %7, align 4
  br label %55

55:
  %56 = load i32, ptr %7, align 4
  %57 = icmp slt i32 %56, 32
  br i1 %57, label %58, label %69

58:
  %59 = load i32, ptr %7, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds [32 x i32], ptr @next_rows, i64 0, i64 %60
  %62 = load i32, ptr %61, align 4
  %63 = load i32, ptr %7, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [32 x i32], ptr @rows, i64 0, i64 %64
  store i32 %62, ptr %65, align 4
  br label %66

66:
  %67 = load i32, ptr %7, align 4
  %68 = add nsw i32 %67, 1
  store i32 %68, ptr %7, align 4
  br label %55, !llvm.loop !13

69:
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
  %10 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 77, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %11

11:
  %12 = load i32, ptr %6, align 4
  %13 = icmp slt i32 %12, 32
  br i1 %13, label %14, label %55

14:
  store i32 0, ptr %7, align 4
  br label %15

15:
  %16 = load i32, ptr %7, align 4
  %17 = icmp slt i32 %16, 32
  br i1 %17, label %18, label %51

18:
  %19 = load i32, ptr %2, align 4
  %20 = mul i32 %19, 1664525
  %21 = add i32 %20, 1013904223
  store i32 %21, ptr %2, align 4
  %22 = load i32, ptr %2, align 4
  %23 = lshr i32 %22, 30
  %24 = icmp eq i32 %23, 0
  %25 = zext i1 %24 to i32
  %26 = trunc i32 %25 to i8
  %27 = load i32, ptr %6, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [32 x [32 x i8]], ptr @cells, i64 0, i64 %28
  %30 = load i32, ptr %7, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [32 x i8], ptr %29, i64 0, i64 %31
  store i8 %26, ptr %32, align 1
  %33 = load i32, ptr %6, align 4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [32 x [32 x i8]], ptr @cells, i64 0, i64 %34
  %36 = load i32, ptr %7, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [32 x i8], ptr %35, i64 0, i64 %37
  %39 = load i8, ptr %38, align 1
  %40 = zext i8 %39 to i32
  %41 = load i32, ptr %7, align 4
  %42 = shl i32 %40, %41
  %43 = load i32, ptr %6, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [32 x i32], ptr @rows, i64 0, i64 %44
  %46 = load i32, ptr %45, align 4
  %47 = or i32 %46, %42
  store i32 %47, ptr %45, align 4
  br label %48

48:
  %49 = load i32, ptr %7, align 4
  %50 = add nsw i32 %49, 1
  store i32 %50, ptr %7, align 4
  br label %15, !llvm.loop !14

51:
  br label %52

52:
  %53 = load i32, ptr %6, align 4
  %54 = add nsw i32 %53, 1
  store i32 %54, ptr %6, align 4
  br label %11, !llvm.loop !15

55:
  store i32 0, ptr %8, align 4
  br label %56

56:
  %57 = load i32, ptr %8, align 4
  %58 = icmp slt i32 %57, 12
  br i1 %58, label %59, label %63

59:
  call void @step_cells()
  call void @step_rows()
  br label %60

60:
  %61 = load i32, ptr %8, align 4
  %62 = add nsw i32 %61, 1
  store i32 %62, ptr %8, align 4
  br label %56, !llvm.loop !16

63:
  store i32 0, ptr %9, align 4
  br label %64

64:
  %65 = load i32, ptr %9, align 4
  %66 = icmp slt i32 %65, 32
  br i1 %66, label %67, label %119

67:
  store i32 0, ptr %10, align 4
  br label %68

68:
  %69 = load i32, ptr %10, align 4
  %70 = icmp slt i32 %69, 32
  br i1 %70, label %71, label %115

71:
  %72 = load i32, ptr %9, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [32 x [32 x i8]], ptr @cells, i64 0, i64 %73
  %75 = load i32, ptr %10, align 4
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds [32 x i8], ptr %74, i64 0, i64 %76
  %78 = load i8, ptr %77, align 1
  %79 = zext i8 %78 to i32
  %80 = load i32, ptr %9, align 4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [32 x i32], ptr @rows, i64 0, i64 %81
  %83 = load i32, ptr %82, align 4
  %84 = load i32, ptr %10, align 4
  %85 = lshr i32 %83, %84
  %86 = and i32 %85, 1
  %87 = icmp ne i32 %79, %86
  %88 = zext i1 %87 to i32
  %89 = load i32, ptr %4, align 4
  %90 = add nsw i32 %89, %88
  store i32 %90, ptr %4, align 4
  %91 = load i32, ptr %9, align 4
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds [32 x [32 x i8]], ptr @cells, i64 0, i64 %92
  %94 = load i32, ptr %10, align 4
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds [32 x i8], ptr %93, i64 0, i64 %95
  %97 = load i8, ptr %96, align 1
  %98 = zext i8 %97 to i32
  %99 = load i32, ptr %5, align 4
  %100 = add nsw i32 %99, %98
  store i32 %100, ptr %5, align 4
  %101 = load i32, ptr %3, align 4
  %102 = mul i32 %101, 3
  %103 = load i32, ptr %9, align 4
  %104 = sext i32 %103 to i64
  %105 = getelementptr inbounds [32 x [32 x i8]], ptr @cells, i64 0, i64 %104
  %106 = load i32, ptr %10, align 4
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds [32 x i8], ptr %105, i64 0, i64 %107
  %109 = load i8, ptr %108, align 1
  %110 = zext i8 %109 to i32
  %111 = add i32 %102, %110
  store i32 %111, ptr %3, align 4
  br label %112

112:
  %113 = load i32, ptr %10, align 4
  %114 = add nsw i32 %113, 1
  store i32 %114, ptr %10, align 4
  br label %68, !llvm.loop !17

115:
  br label %116

116:
  %117 = load i32, ptr %9, align 4
  %118 = add nsw i32 %117, 1
  store i32 %118, ptr %9, align 4
  br label %64, !llvm.loop !18

119:
  %120 = load i32, ptr %5, align 4
  %121 = load i32, ptr %3, align 4
  %122 = load i32, ptr %4, align 4
  %123 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %120, i32 noundef %121, i32 noundef %122)
  %124 = load i32, ptr %4, align 4
  %125 = icmp ne i32 %124, 0
  %126 = zext i1 %125 to i32
  ret i32 %126
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
