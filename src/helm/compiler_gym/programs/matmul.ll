source_filename = "matmul.c"

@transposed = internal global [48 x [48 x double]] zeroinitializer, align 16
@a = internal global [48 x [48 x double]] zeroinitializer, align 16
@b = internal global [48 x [48 x double]] zeroinitializer, align 16
@c = internal global [48 x [48 x double]] zeroinitializer, align 16
@d = internal global [48 x [48 x double]] zeroinitializer, align 16
@e = internal global [48 x [48 x double]] zeroinitializer, align 16
@.str = private unnamed_addr constant [16 x i8] c"%.6f %.3f %.3f\0A\00", align 1

define dso_local void @fill(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  br label %7

7:
  %8 = load i32, ptr %5, align 4
  %9 = icmp slt i32 %8, 48
  br i1 %9, label %10, label %38

10:
  store i32 0, ptr %6, align 4
  br label %11

11:
  %12 = load i32, ptr %6, align 4
  %13 = icmp slt i32 %12, 48
  br i1 %13, label %14, label %34

14:
  %15 = load i32, ptr %5, align 4
  %16 = load i32, ptr %4, align 4
  %17 = mul nsw i32 %15, %16
  %18 = load i32, ptr %6, align 4
  %19 = mul nsw i32 %18, 7
  %20 = add nsw i32 %17, %19
  %21 = srem i32 %20, 13
  %22 = sitofp i32 %21 to double
  %23 = fdiv double %22, 1.300000e+01
  %24 = load ptr, ptr %3, align 8
  %25 = load i32, ptr %5, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [48 x double], ptr %24, i64 %26
  %28 = load i32, ptr %6, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [48 x double], ptr %27, i64 0, i64 %29
  store double %23, ptr %30, align 8
  br label %31

31:
  %32 = load i32, ptr %6, align 4
  %33 = add nsw i32 %32, 1
  store i32 %33, ptr %6, align 4
  br label %11, !llvm.loop !4

34:
  br label %35

35:
  %36 = load i32, ptr %5, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %5, align 4
  br label %7, !llvm.loop !6

38:
  ret void
}

define dso_local void @multiply(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca double, align 8
  %10 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store ptr %2, ptr %6, align 8
  store i32 0, ptr %7, align 4
  br label %11

11:
  %12 = load i32, ptr %7, align 4
  %13 = icmp slt i32 %12, 48
  br i1 %13, label %14, label %60

14:
  store i32 0, ptr %8, align 4
  br label %15

15:
  %16 = load i32, ptr %8, align 4
  %17 = icmp slt i32 %16, 48
  br i1 %17, label %18, label %56

18:
  store double 0.000000e+00, ptr %9, align 8
  store i32 0, ptr %10, align 4
  br label %19

19:
  %20 = load i32, ptr %10, align 4
  %21 = icmp slt i32 %20, 48
  br i1 %21, label %22, label %44

22:
  %23 = load ptr, ptr %4, align 8
  %24 = load i32, ptr %7, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [48 x double], ptr %23, i64 %25
  %27 = load i32, ptr %10, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [48 x double], ptr %26, i64 0, i64 %28
  %30 = load double, ptr %29, align 8
  %31 = load ptr, ptr %5, align 8
  %32 = load i32, ptr %10, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [48 x double], ptr %31, i64 %33
  %35 = load i32, ptr %8, align 4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [48 x double], ptr %34, i64 0, i64 %36
  %38 = load double, ptr %37, align 8
  %39 = load double, ptr %9, align 8
  %40 = call double @llvm.fmuladd.f64(double %30, double %38, double %39)
  store double %40, ptr %9, align 8
  br label %41

41:
  %42 = load i32, ptr %10, align 4
  %43 = add nsw i32 %42, 1
  store i32 %43, ptr %10, align 4
  br label %19, !llvm.loop !7

44:
  %45 = load double, ptr %9, align 8
  %46 = load ptr, ptr %6, align 8
  %47 = load i32, ptr %7, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [48 x double], ptr %46, i64 %48
  %50 = load i32, ptr %8, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [48 x double], ptr %49, i64 0, i64 %51
  store double %45, ptr %52, align 8
  br label %53

53:
  %54 = load i32, ptr %8, align 4
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %8, align 4
  br label %15, !llvm.loop !8

56:
  br label %57

57:
  %58 = load i32, ptr %7, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %7, align 4
  br label %11, !llvm.loop !9

60:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double) #1

define dso_local void @multiply_transposed(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca double, align 8
  %12 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store ptr %2, ptr %6, align 8
  store i32 0, ptr %7, align 4
  br label %13

13:
  %14 = load i32, ptr %7, align 4
  %15 = icmp slt i32 %14, 48
  br i1 %15, label %16, label %42

16:
  store i32 0, ptr %8, align 4
  br label %17

17:
  %18 = load i32, ptr %8, align 4
  %19 = icmp slt i32 %18, 48
  br i1 %19, label %20, label %38

20:
  %21 = load ptr, ptr %5, align 8
  %22 = load i32, ptr %7, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [48 x double], ptr %21, i64 %23
  %25 = load i32, ptr %8, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [48 x double], ptr %24, i64 0, i64 %26
  %28 = load double, ptr %27, align 8
  %29 = load i32, ptr %8, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [48 x [48 x double]], ptr @transposed, i64 0, i64 %30
  %32 = load i32, ptr %7, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [48 x double], ptr %31, i64 0, i64 %33
  store double %28, ptr %34, align 8
  br label %35

35:
  %36 = load i32, ptr %8, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %8, align 4
  br label %17, !llvm.loop !10

38:
  br label %39

39:
  %40 = load i32, ptr %7, align 4
  %41 = add nsw i32 %40, 1
  store i32 %41, ptr %7, align 4
  br label %13, !llvm.loop !11

42:
  store i32 0, ptr %9, align 4
  br label %43

43:
  %44 = load i32, ptr %9, align 4
  %45 = icmp slt i32 %44, 48
  br i1 %45, label %46, label %91

46:
  store i32 0, ptr %10, align 4
  br label %47

47:
  %48 = load i32, ptr %10, align 4
  %49 = icmp slt i32 %48, 48
  br i1 %49, label %50, label %87

50:
  store double 0.000000e+00, ptr %11, align 8
  store i32 0, ptr %12, align 4
  br label %51

51:
  %52 = load i32, ptr %12, align 4
  %53 = icmp slt i32 %52, 48
  br i1 %53, label %54, label %75

54:
  %55 = load ptr, ptr %4, align 8
  %56 = load i32, ptr %9, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds [48 x double], ptr %55, i64 %57
  %59 = load i32, ptr %12, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds [48 x double], ptr %58, i64 0, i64 %60
  %62 = load double, ptr %61, align 8
  %63 = load i32, ptr %10, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [48 x [48 x double]], ptr @transposed, i64 0, i64 %64
  %66 = load i32, ptr %12, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [48 x double], ptr %65, i64 0, i64 %67
  %69 = load double, ptr %68, align 8
  %70 = load double, ptr %11, align 8
  %71 = call double @llvm.fmuladd.f64(double %62, double %69, double %70)
  store double %71, ptr %11, align 8
  br label %72

72:
  %73 = load i32, ptr %12, align 4
  %74 = add nsw i32 %73, 1
  store i32 %74, ptr %12, align 4
  br label %51, !llvm.loop !12

75:
  %76 = load double, ptr %11, align 8
  %77 = load ptr, ptr %6, align 8
  %78 = load i32, ptr %9, align 4
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds [48 x double], ptr %77, i64 %79
  %81 = load i32, ptr %10, align 4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds [48 x double], ptr %80, i64 0, i64 %82
  store double %76, ptr %83, align 8
  br label %84

84:
  %85 = load i32, ptr %10, align 4
  %86 = add nsw i32 %85, 1
  store i32 %86, ptr %10, align 4
  br label %47, !llvm.loop !13

87:
  br label %88

88:
  %89 = load i32, ptr %9, align 4
  %90 = add nsw i32 %89, 1
  store i32 %90, ptr %9, align 4
  br label %43, !llvm.loop !14

91:
  ret void
}

define dso_local void @multiply_blocks(ptr noundef %0, ptr noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store ptr %1, ptr %5, align 8
  store ptr %2, ptr %6, align 8
  store i32 0, ptr %7, align 4
  br label %15

15:
  %16 = load i32, ptr %7, align 4
  %17 = icmp slt i32 %16, 48
  br i1 %17, label %18, label %37

18:
  store i32 0, ptr %8, align 4
  br label %19

19:
  %20 = load i32, ptr %8, align 4
  %21 = icmp slt i32 %20, 48
  br i1 %21, label %22, label %33

22:
  %23 = load ptr, ptr %6, align 8
  %24 = load i32, ptr %7, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [48 x double], ptr %23, i64 %25
  %27 = load i32, ptr %8, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [48 x double], ptr %26, i64 0, i64 %28
  store double 0.000000e+00, ptr %29, align 8
  br label %30

30:
  %31 = load i32, ptr %8, align 4
  %32 = add nsw i32 %31, 1
  store i32 %32, ptr %8, align 4
  br label %19, !llvm.loop !15

33:
  br label %34

34:
  %35 = load i32, ptr %7, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %7, align 4
  br label %15, !llvm.loop !16

37:
  store i32 0, ptr %9, align 4
  br label %38

38:
  %39 = load i32, ptr %9, align 4
  %40 = icmp slt i32 %39, 48
  br i1 %40, label %41, label %119

41:
  store i32 0, ptr %10, align 4
  br label %42

42:
  %43 = load i32, ptr %10, align 4
  %44 = icmp slt i32 %43, 48
  br i1 %44, label %45, label %115

45:
  store i32 0, ptr %11, align 4
  br label %46

46:
  %47 = load i32, ptr %11, align 4
  %48 = icmp slt i32 %47, 48
  br i1 %48, label %49, label %111

49:
  %50 = load i32, ptr %9, align 4
  store i32 %50, ptr %12, align 4
  br label %51

51:
  %52 = load i32, ptr %12, align 4
  %53 = load i32, ptr %9, align 4
  %54 = add nsw i32 %53, 8
  %55 = icmp slt i32 %52, %54
  br i1 %55, label %56, label %107

56:
  %57 = load i32, ptr %10, align 4
  store i32 %57, ptr %13, align 4
  br label %58

58:
  %59 = load i32, ptr %13, align 4
  %60 = load i32, ptr %10, align 4
  %61 = add nsw i32 %60, 8
  %62 = icmp slt i32 %59, %61
  br i1 %62, label %63, label %103

63:
  %64 = load i32, ptr %11, align 4
  store i32 %64, ptr %14, align 4
  br label %65

65:
  %66 = load i32, ptr %14, align 4
  %67 = load i32, ptr %11, align 4
  %68 = add nsw i32 %67, 8
  %69 = icmp slt i32 %66, %68
  br i1 %69, label %70, label %99

70:
  %71 = load ptr, ptr %4, align 8
  %72 = load i32, ptr %12, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [48 x double], ptr %71, i64 %73
  %75 = load i32, ptr %13, align 4
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds [48 x double], ptr %74, i64 0, i64 %76
  %78 = load double, ptr %77, align 8
  %79 = load ptr, ptr %5, align 8
  %80 = load i32, ptr %13, align 4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [48 x double], ptr %79, i64 %81
  %83 = load i32, ptr %14, align 4
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds [48 x double], ptr %82, i64 0, i64 %84
  %86 = load double, ptr %85, align 8
  %87 = load ptr, ptr %6, align 8
  %88 = load i32, ptr %12, align 4
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds [48 x double], ptr %87, i64 %89
  %91 = load i32, ptr %14, align 4
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds [48 x double], ptr %90, i64 0, i64 %92
  %94 = load double, ptr %93, align 8
  %95 = call double @llvm.fmuladd.f64(double %78, double %86, double %94)
  store double %95, ptr %93, align 8
  br label %96

96:
  %97 = load i32, ptr %14, align 4
  %98 = add nsw i32 %97, 1
  store i32 %98, ptr %14, align 4
  br label %65, !llvm.loop !17

99:
  br label %100

100:
  %101 = load i32, ptr %13, align 4
  %102 = add nsw i32 %101, 1
  store i32 %102, ptr %13, align 4
  br label %58, !llvm.loop !18

103:
  br label %104

104:
  %105 = load i32, ptr %12, align 4
  %106 = add nsw i32 %105, 1
  store i32 %106, ptr %12, align 4
  br label %51, !llvm.loop !19

107:
  br label %108

108:
  %109 = load i32, ptr %11, align 4
  %110 = add nsw i32 %109, 8
  store i32 %110, ptr %11, align 4
  br label %46, !llvm.loop !20

111:
  br label %112

112:
  %113 = load i32, ptr %10, align 4
  %114 = add nsw i32 %113, 8
  store i32 %114, ptr %10, align 4
  br label %42, !llvm.loop !21

115:
  br label %116

116:
  %117 = load i32, ptr %9, align 4
  %118 = add nsw i32 %117, 8
  store i32 %118, ptr %9, align 4
  br label %38, !llvm.loop !22

119:
  ret void
}

define dso_local double @largest_difference(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca double, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca double, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store double 0.000000e+00, ptr %5, align 8
  store i32 0, ptr %6, align 4
  br label %9

9:
  %10 = load i32, ptr %6, align 4
  %11 = icmp slt i32 %10, 48
  br i1 %11, label %12, label %53

12:
  store i32 0, ptr %7, align 4
  br label %13

13:
  %14 = load i32, ptr %7, align 4
  %15 = icmp slt i32 %14, 48
  br i1 %15, label %16, label %49

16:
  %17 = load ptr, ptr %3, align 8
  %18 = load i32, ptr %6, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [48 x double], ptr %17, i64 %19
  %21 = load i32, ptr %7, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [48 x double], ptr %20, i64 0, i64 %22
  %24 = load double, ptr %23, align 8
  %25 = load ptr, ptr %4, align 8
  %26 = load i32, ptr %6, align 4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [48 x double], ptr %25, i64 %27
  %29 = load i32, ptr %7, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [48 x double], ptr %28, i64 0, i64 %30
  %32 = load double, ptr %31, align 8
  %33 = fsub double %24, %32
  store double %33, ptr %8, align 8
  %34 = load double, ptr %8, align 8
  %35 = fcmp olt double %34, 0.000000e+00
  br i1 %35, label %36, label %39

36:
  %37 = load double, ptr %8, align 8
  %38 = fneg double %37
  store double %38, ptr %8, align 8
  br label %39

39:
  %40 = load double, ptr %8, align 8
  %41 = load double, ptr %5, align 8
  %42 = fcmp ogt double %40, %41
  br i1 %42, label %43, label %45

43:
  %44 = load double, ptr %8, align 8
  store double %44, ptr %5, align 8
  br label %45

45:
  br label %46

46:
  %47 = load i32, ptr %7, align 4
  %48 = add nsw i32 %47, 1
  store i32 %48, ptr %7, align 4
  br label %13, !llvm.loop !23

49:
  br label %50

50:
  %51 = load i32, ptr %6, align 4
  %52 = add nsw i32 %51, 1
  store i32 %52, ptr %6, align 4
  br label %9, !llvm.loop !24

53:
  %54 = load double, ptr %5, align 8
  ret double %54
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  call void @fill(ptr noundef @a, i32 noundef 3)
  call void @fill(ptr noundef @b, i32 noundef 5)
  call void @multiply(ptr noundef @a, ptr noundef @b, ptr noundef @c)
  call void @multiply_transposed(ptr noundef @a, ptr noundef @b, ptr noundef @d)
  call void @multiply_blocks(ptr noundef @a, ptr noundef @b, ptr noundef @e)
  %2 = load double, ptr getelementptr inbounds ([48 x double], ptr getelementptr inbounds ([48 x [48 x double]], ptr @c, i64 0, i64 24), i64 0, i64 16), align 16
  %3 = call double @largest_difference(ptr noundef @c, ptr noundef @d)
  %4 = call double @largest_difference(ptr noundef @c, ptr noundef @e)
  %5 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %2, double noundef %3, double noundef %4)
  %6 = call double @largest_difference(ptr noundef @c, ptr noundef @d)
  %7 = call double @largest_difference(ptr noundef @c, ptr noundef @e)
  %8 = fadd double %6, %7
  %9 = fcmp ogt double %8, 1.000000e-09
  %10 = zext i1 %9 to i32
  ret i32 %10
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
!18 = distinct !{!18, !5}
!19 = distinct !{!19, !5}
!20 = distinct !{!20, !5}
!21 = distinct !{!21, !5}
!22 = distinct !{!22, !5}
!23 = distinct !{!23, !5}
!24 = distinct !{!24, !5}
