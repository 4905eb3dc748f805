source_filename = "polybench.c"

@x = internal global [20 x double] zeroinitializer, align 16
@u = internal global [20 x double] zeroinitializer, align 16
@v = internal global [20 x double] zeroinitializer, align 16
@a = internal global [20 x [20 x double]] zeroinitializer, align 16
@data = internal global [16 x [20 x double]] zeroinitializer, align 16
@y = internal global [20 x double] zeroinitializer, align 16
@b = internal global [20 x [20 x double]] zeroinitializer, align 16
@covariance = internal global [20 x [20 x double]] zeroinitializer, align 16
@.str = private unnamed_addr constant [6 x i8] c"%.4f\0A\00", align 1
@.str.1 = private unnamed_addr constant [6 x i8] c"%.2f\0A\00", align 1
@.str.2 = private unnamed_addr constant [11 x i8] c"%.4f %.6f\0A\00", align 1

define dso_local void @fill() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %4

4:
  %5 = load i32, ptr %1, align 4
  %6 = icmp slt i32 %5, 20
  br i1 %6, label %7, label %74

7:
  %8 = load i32, ptr %1, align 4
  %9 = srem i32 %8, 3
  %10 = sitofp i32 %9 to double
  %11 = call double @llvm.fmuladd.f64(double %10, double 5.000000e-01, double 1.000000e+00)
  %12 = load i32, ptr %1, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [20 x double], ptr @x, i64 0, i64 %13
  store double %11, ptr %14, align 8
  %15 = load i32, ptr %1, align 4
  %16 = sitofp i32 %15 to double
  %17 = fmul double %16, 2.500000e-01
  %18 = load i32, ptr %1, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [20 x double], ptr @u, i64 0, i64 %19
  store double %17, ptr %20, align 8
  %21 = load i32, ptr %1, align 4
  %22 = sub nsw i32 20, %21
  %23 = sitofp i32 %22 to double
  %24 = fmul double %23, 1.250000e-01
  %25 = load i32, ptr %1, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [20 x double], ptr @v, i64 0, i64 %26
  store double %24, ptr %27, align 8
  store i32 0, ptr %2, align 4
  br label %28

28:
  %29 = load i32, ptr %2, align 4
  %30 = icmp slt i32 %29, 20
  br i1 %30, label %31, label %48

31:
  %32 = load i32, ptr %1, align 4
  %33 = load i32, ptr %2, align 4
  %34 = mul nsw i32 2, %33
  %35 = add nsw i32 %32, %34
  %36 = srem i32 %35, 11
  %37 = sitofp i32 %36 to double
  %38 = fmul double %37, 5.000000e-01
  %39 = load i32, ptr %1, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [20 x [20 x double]], ptr @a, i64 0, i64 %40
  %42 = load i32, ptr %2, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [20 x double], ptr %41, i64 0, i64 %43
  store double %38, ptr %44, align 8
  br label %45

45:
  %46 = load i32, ptr %2, align 4
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %2, align 4
  br label %28, !llvm.loop !4

48:
  store i32 0, ptr %3, align 4
  br label %49

49:
  %50 = load i32, ptr %3, align 4
  %51 = icmp slt i32 %50, 16
  br i1 %51, label %52, label %70

52:
  %53 = load i32, ptr %3, align 4
  %54 = load i32, ptr %1, align 4
  %55 = mul nsw i32 %53, %54
  %56 = srem i32 %55, 13
  %57 = sitofp i32 %56 to double
  %58 = load i32, ptr %3, align 4
  %59 = sitofp i32 %58 to double
  %60 = call double @llvm.fmuladd.f64(double %57, double 2.500000e-01, double %59)
  %61 = load i32, ptr %3, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [16 x [20 x double]], ptr @data, i64 0, i64 %62
  %64 = load i32, ptr %1, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [20 x double], ptr %63, i64 0, i64 %65
  store double %60, ptr %66, align 8
  br label %67

67:
  %68 = load i32, ptr %3, align 4
  %69 = add nsw i32 %68, 1
  store i32 %69, ptr %3, align 4
  br label %49, !llvm.loop !6

70:
  br label %71

71:
  %72 = load i32, ptr %1, align 4
  %73 = add nsw i32 %72, 1
  store i32 %73, ptr %1, align 4
  br label %4, !llvm.loop !7

74:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double) #1

define dso_local void @atax() #0 {
  %1 = alloca [20 x double], align 16
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 0, ptr %2, align 4
  br label %7

7:
  %8 = load i32, ptr %2, align 4
  %9 = icmp slt i32 %8, 20
  br i1 %9, label %10, label %41

10:
  %11 = load i32, ptr %2, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [20 x double], ptr %1, i64 0, i64 %12
  store double 0.000000e+00, ptr %13, align 8
  store i32 0, ptr %3, align 4
  br label %14

14:
  %15 = load i32, ptr %3, align 4
  %16 = icmp slt i32 %15, 20
  br i1 %16, label %17, label %37

17:
  %18 = load i32, ptr %2, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [20 x [20 x double]], ptr @a, i64 0, i64 %19
  %21 = load i32, ptr %3, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [20 x double], ptr %20, i64 0, i64 %22
  %24 = load double, ptr %23, align 8
  %25 = load i32, ptr %3, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [20 x double], ptr @x, i64 0, i64 %26
  %28 = load double, ptr %27, align 8
  %29 = load i32, ptr %2, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [20 x double], ptr %1, i64 0, i64 %30
  %32 = load double, ptr %31, align 8
  %33 = call double @llvm.fmuladd.f64(double %24, double %28, double %32)
  store double %33, ptr %31, align 8
  br label %34

34:
  %35 = load i32, ptr %3, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %3, align 4
  br label %14, !llvm.loop !8

37:
  br label %38

38:
  %39 = load i32, ptr %2, align 4
  %40 = add nsw i32 %39, 1
  store i32 %40, ptr %2, align 4
  br label %7, !llvm.loop !9

41:
  store i32 0, ptr %4, align 4
  br label %42

42:
  %43 = load i32, ptr %4, align 4
  %44 = icmp slt i32 %43, 20
  br i1 %44, label %45, label %52

45:
  %46 = load i32, ptr %4, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [20 x double], ptr @y, i64 0, i64 %47
  store double 0.000000e+00, ptr %48, align 8
  br label %49

49:
  %50 = load i32, ptr %4, align 4
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %4, align 4
  br label %42, !llvm.loop !10

52:
  store i32 0, ptr %5, align 4
  br label %53

53:
  %54 = load i32, ptr %5, align 4
  %55 = icmp slt i32 %54, 20
  br i1 %55, label %56, label %84

56:
  store i32 0, ptr %6, align 4
  br label %57

57:
  %58 = load i32, ptr %6, align 4
  %59 = icmp slt i32 %58, 20
  br i1 %59, label %60, label %80

60:
  %61 = load i32, ptr %5, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [20 x [20 x double]], ptr @a, i64 0, i64 %62
  %64 = load i32, ptr %6, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [20 x double], ptr %63, i64 0, i64 %65
  %67 = load double, ptr %66, align 8
  %68 = load i32, ptr %5, align 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [20 x double], ptr %1, i64 0, i64 %69
  %71 = load double, ptr %70, align 8
  %72 = load i32, ptr %6, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [20 x double], ptr @y, i64 0, i64 %73
  %75 = load double, ptr %74, align 8
  %76 = call double @llvm.fmuladd.f64(double %67, double %71, double %75)
  store double %76, ptr %74, align 8
  br label %77

77:
  %78 = load i32, ptr %6, align 4
  %79 = add nsw i32 %78, 1
  store i32 %79, ptr %6, align 4
  br label %57, !llvm.loop !11

80:
  br label %81

81:
  %82 = load i32, ptr %5, align 4
  %83 = add nsw i32 %82, 1
  store i32 %83, ptr %5, align 4
  br label %53, !llvm.loop !12

84:
  ret void
}

define dso_local void @rank_two_update() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %3

3:
  %4 = load i32, ptr %1, align 4
  %5 = icmp slt i32 %4, 20
  br i1 %5, label %6, label %44

6:
  store i32 0, ptr %2, align 4
  br label %7

7:
  %8 = load i32, ptr %2, align 4
  %9 = icmp slt i32 %8, 20
  br i1 %9, label %10, label %40

10:
  %11 = load i32, ptr %1, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [20 x double], ptr @u, i64 0, i64 %12
  %14 = load double, ptr %13, align 8
  %15 = load i32, ptr %2, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [20 x double], ptr @v, i64 0, i64 %16
  %18 = load double, ptr %17, align 8
  %19 = load i32, ptr %1, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [20 x double], ptr @v, i64 0, i64 %20
  %22 = load double, ptr %21, align 8
  %23 = load i32, ptr %2, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [20 x double], ptr @u, i64 0, i64 %24
  %26 = load double, ptr %25, align 8
  %27 = fmul double %22, %26
  %28 = call double @llvm.fmuladd.f64(double %14, double %18, double %27)
  %29 = load i32, ptr %1, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [20 x [20 x double]], ptr @a, i64 0, i64 %30
  %32 = load i32, ptr %2, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [20 x double], ptr %31, i64 0, i64 %33
  %35 = load double, ptr %34, align 8
  %36 = fadd double %35, %28
  store double %36, ptr %34, align 8
  br label %37

37:
  %38 = load i32, ptr %2, align 4
  %39 = add nsw i32 %38, 1
  store i32 %39, ptr %2, align 4
  br label %7, !llvm.loop !13

40:
  br label %41

41:
  %42 = load i32, ptr %1, align 4
  %43 = add nsw i32 %42, 1
  store i32 %43, ptr %1, align 4
  br label %3, !llvm.loop !14

44:
  ret void
}

define dso_local void @symmetric_product() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca double, align 8
  %4 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %5

5:
  %6 = load i32, ptr %1, align 4
  %7 = icmp slt i32 %6, 20
  br i1 %7, label %8, label %58

8:
  store i32 0, ptr %2, align 4
  br label %9

9:
  %10 = load i32, ptr %2, align 4
  %11 = load i32, ptr %1, align 4
  %12 = icmp sle i32 %10, %11
  br i1 %12, label %13, label %54

13:
  store double 0.000000e+00, ptr %3, align 8
  store i32 0, ptr %4, align 4
  br label %14

14:
  %15 = load i32, ptr %4, align 4
  %16 = icmp slt i32 %15, 20
  br i1 %16, label %17, label %37

17:
  %18 = load i32, ptr %1, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [20 x [20 x double]], ptr @a, i64 0, i64 %19
  %21 = load i32, ptr %4, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [20 x double], ptr %20, i64 0, i64 %22
  %24 = load double, ptr %23, align 8
  %25 = load i32, ptr %2, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [20 x [20 x double]], ptr @a, i64 0, i64 %26
  %28 = load i32, ptr %4, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [20 x double], ptr %27, i64 0, i64 %29
  %31 = load double, ptr %30, align 8
  %32 = load double, ptr %3, align 8
  %33 = call double @llvm.fmuladd.f64(double %24, double %31, double %32)
  store double %33, ptr %3, align 8
  br label %34

34:
  %35 = load i32, ptr %4, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %4, align 4
  br label %14, !llvm.loop !15

37:
  %38 = load double, ptr %3, align 8
  %39 = load i32, ptr %2, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [20 x [20 x double]], ptr @b, i64 0, i64 %40
  %42 = load i32, ptr %1, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [20 x double], ptr %41, i64 0, i64 %43
  store double %38, ptr %44, align 8
  %45 = load i32, ptr %1, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [20 x [20 x double]], ptr @b, i64 0, i64 %46
  %48 = load i32, ptr %2, align 4
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [20 x double], ptr %47, i64 0, i64 %49
  store double %38, ptr %50, align 8
  br label %51

51:
  %52 = load i32, ptr %2, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %2, align 4
  br label %9, !llvm.loop !16

54:
  br label %55

55:
  %56 = load i32, ptr %1, align 4
  %57 = add nsw i32 %56, 1
  store i32 %57, ptr %1, align 4
  br label %5, !llvm.loop !17

58:
  ret void
}

define dso_local void @compute_covariance() #0 {
  %1 = alloca [20 x double], align 16
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca double, align 8
  %7 = alloca i32, align 4
  store i32 0, ptr %2, align 4
  br label %8

8:
  %9 = load i32, ptr %2, align 4
  %10 = icmp slt i32 %9, 20
  br i1 %10, label %11, label %43

11:
  %12 = load i32, ptr %2, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [20 x double], ptr %1, i64 0, i64 %13
  store double 0.000000e+00, ptr %14, align 8
  store i32 0, ptr %3, align 4
  br label %15

15:
  %16 = load i32, ptr %3, align 4
  %17 = icmp slt i32 %16, 16
  br i1 %17, label %18, label %34

18:
  %19 = load i32, ptr %3, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [16 x [20 x double]], ptr @data, i64 0, i64 %20
  %22 = load i32, ptr %2, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [20 x double], ptr %21, i64 0, i64 %23
  %25 = load double, ptr %24, align 8
  %26 = load i32, ptr %2, align 4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [20 x double], ptr %1, i64 0, i64 %27
  %29 = load double, ptr %28, align 8
  %30 = fadd double %29, %25
  store double %30, ptr %28, align 8
  br label %31

31:
  %32 = load i32, ptr %3, align 4
  %33 = add nsw i32 %32, 1
  store i32 %33, ptr %3, align 4
  br label %15, !llvm.loop !18

34:
  %35 = load i32, ptr %2, align 4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [20 x double], ptr %1, i64 0, i64 %36
  %38 = load double, ptr %37, align 8
  %39 = fdiv double %38, 1.600000e+01
  store double %39, ptr %37, align 8
  br label %40

40:
  %41 = load i32, ptr %2, align 4
  %42 = add nsw i32 %41, 1
  store i32 %42, ptr %2, align 4
  br label %8, !llvm.loop !19

43:
  store i32 0, ptr %4, align 4
  br label %44

44:
  %45 = load i32, ptr %4, align 4
  %46 = icmp slt i32 %45, 20
  br i1 %46, label %47, label %108

47:
  %48 = load i32, ptr %4, align 4
  store i32 %48, ptr %5, align 4
  br label %49

49:
  %50 = load i32, ptr %5, align 4
  %51 = icmp slt i32 %50, 20
  br i1 %51, label %52, label %104

52:
  store double 0.000000e+00, ptr %6, align 8
  store i32 0, ptr %7, align 4
  br label %53

53:
  %54 = load i32, ptr %7, align 4
  %55 = icmp slt i32 %54, 16
  br i1 %55, label %56, label %86

56:
  %57 = load i32, ptr %7, align 4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [16 x [20 x double]], ptr @data, i64 0, i64 %58
  %60 = load i32, ptr %4, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [20 x double], ptr %59, i64 0, i64 %61
  %63 = load double, ptr %62, align 8
  %64 = load i32, ptr %4, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [20 x double], ptr %1, i64 0, i64 %65
  %67 = load double, ptr %66, align 8
  %68 = fsub double %63, %67
  %69 = load i32, ptr %7, align 4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [16 x [20 x double]], ptr @data, i64 0, i64 %70
  %72 = load i32, ptr %5, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [20 x double], ptr %71, i64 0, i64 %73
  %75 = load double, ptr %74, align 8
  %76 = load i32, ptr %5, align 4
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [20 x double], ptr %1, i64 0, i64 %77
  %79 = load double, ptr %78, align 8
  %80 = fsub double %75, %79
  %81 = load double, ptr %6, align 8
  %82 = call double @llvm.fmuladd.f64(double %68, double %80, double %81)
  store double %82, ptr %6, align 8
  br label %83

83:
  %84 = load i32, ptr %7, align 4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %7, align 4
  br label %53, !llvm.loop !20

86:
  %87 = load double, ptr %6, align 8
  %88 = fdiv double %87, 1.500000e+01
  %89 = load i32, ptr %5, align 4
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds [20 x [20 x double]], ptr @covariance, i64 0, i64 %90
  %92 = load i32, ptr %4, align 4
  %93 = sext i32 %92 to i64
  %94 = getelementptr inbounds [20 x double], ptr %91, i64 0, i64 %93
  store double %88, ptr %94, align 8
  %95 = load i32, ptr %4, align 4
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds [20 x [20 x double]], ptr @covariance, i64 0, i64 %96
  %98 = load i32, ptr %5, align 4
  %99 = sext i32 %98 to i64
  %100 = getelementptr inbounds [20 x double], ptr %97, i64 0, i64 %99
  store double %88, ptr %100, align 8
  br label %101

101:
  %102 = load i32, ptr %5, align 4
  %103 = add nsw i32 %102, 1
  store i32 %103, ptr %5, align 4
  br label %49, !llvm.loop !21

104:
  br label %105

105:
  %106 = load i32, ptr %4, align 4
  %107 = add nsw i32 %106, 1
  store i32 %107, ptr %4, align 4
  br label %44, !llvm.loop !22

108:
  ret void
}

define dso_local void @solve_triangular() #0 {
  %1 = alloca i32, align 4
  %2 = alloca double, align 8
  %3 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %4

4:
  %5 = load i32, ptr %1, align 4
  %6 = icmp slt i32 %5, 20
  br i1 %6, label %7, label %52

7:
  %8 = load i32, ptr %1, align 4
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds [20 x double], ptr @u, i64 0, i64 %9
  %11 = load double, ptr %10, align 8
  store double %11, ptr %2, align 8
  store i32 0, ptr %3, align 4
  br label %12

12:
  %13 = load i32, ptr %3, align 4
  %14 = load i32, ptr %1, align 4
  %15 = icmp slt i32 %13, %14
  br i1 %15, label %16, label %35

16:
  %17 = load i32, ptr %1, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [20 x [20 x double]], ptr @covariance, i64 0, i64 %18
  %20 = load i32, ptr %3, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [20 x double], ptr %19, i64 0, i64 %21
  %23 = load double, ptr %22, align 8
  %24 = load i32, ptr %3, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [20 x double], ptr @x, i64 0, i64 %25
  %27 = load double, ptr %26, align 8
  %28 = fmul double %23, %27
  %29 = load double, ptr %2, align 8
  %30 = fneg double %28
  %31 = call double @llvm.fmuladd.f64(double %30, double 1.000000e-02, double %29)
  store double %31, ptr %2, align 8
  br label %32

32:
  %33 = load i32, ptr %3, align 4
  %34 = add nsw i32 %33, 1
  store i32 %34, ptr %3, align 4
  br label %12, !llvm.loop !23

35:
  %36 = load double, ptr %2, align 8
  %37 = load i32, ptr %1, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [20 x [20 x double]], ptr @covariance, i64 0, i64 %38
  %40 = load i32, ptr %1, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [20 x double], ptr %39, i64 0, i64 %41
  %43 = load double, ptr %42, align 8
  %44 = fadd double %43, 1.000000e+00
  %45 = fdiv double %36, %44
  %46 = load i32, ptr %1, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [20 x double], ptr @x, i64 0, i64 %47
  store double %45, ptr %48, align 8
  br label %49

49:
  %50 = load i32, ptr %1, align 4
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %1, align 4
  br label %4, !llvm.loop !24

52:
  ret void
}

define dso_local double @sum_of(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca double, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store double 0.000000e+00, ptr %3, align 8
  store i32 0, ptr %4, align 4
  br label %6

6:
  %7 = load i32, ptr %4, align 4
  %8 = icmp slt i32 %7, 20
  br i1 %8, label %9, label %31

9:
  store i32 0, ptr %5, align 4
  br label %10

10:
  %11 = load i32, ptr %5, align 4
  %12 = icmp slt i32 %11, 20
  br i1 %12, label %13, label %27

13:
  %14 = load ptr, ptr %2, align 8
  %15 = load i32, ptr %4, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [20 x double], ptr %14, i64 %16
  %18 = load i32, ptr %5, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [20 x double], ptr %17, i64 0, i64 %19
  %21 = load double, ptr %20, align 8
  %22 = load double, ptr %3, align 8
  %23 = fadd double %22, %21
  store double %23, ptr %3, align 8
  br label %24

24:
  %25 = load i32, ptr %5, align 4
  %26 = add nsw i32 %25, 1
  store i32 %26, ptr %5, align 4
  br label %10, !llvm.loop !25

27:
  br label %28

28:
  %29 = load i32, ptr %4, align 4
  %30 = add nsw i32 %29, 1
  store i32 %30, ptr %4, align 4
  br label %6, !llvm.loop !26

31:
  %32 = load double, ptr %3, align 8
  ret double %32
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca double, align 8
  %3 = alloca double, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store double 0.000000e+00, ptr %2, align 8
  store double 0.000000e+00, ptr %3, align 8
  call void @fill()
  call void @atax()
  store i32 0, ptr %4, align 4
  br label %6

6:
  %7 = load i32, ptr %4, align 4
  %8 = icmp slt i32 %7, 20
  br i1 %8, label %9, label %19

9:
  %10 = load i32, ptr %4, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [20 x double], ptr @y, i64 0, i64 %11
  %13 = load double, ptr %12, align 8
  %14 = load double, ptr %2, align 8
  %15 = fadd double %14, %13
  store double %15, ptr %2, align 8
  br label %16

16:
  %17 = load i32, ptr %4, align 4
  %18 = add nsw i32 %17, 1
  store i32 %18, ptr %4, align 4
  br label %6, !llvm.loop !27

19:
  %20 = load double, ptr %2, align 8
  %21 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %20)
  call void @rank_two_update()
  %22 = call double @sum_of(ptr noundef @a)
  %23 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %22)
  call void @symmetric_product()
  %24 = call double @sum_of(ptr noundef @b)
  %25 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, double noundef %24)
  call void @compute_covariance()
  call void @solve_triangular()
  store i32 0, ptr %5, align 4
  br label %26

26:
  %27 = load i32, ptr %5, align 4
  %28 = icmp slt i32 %27, 20
  br i1 %28, label %29, label %39

29:
  %30 = load i32, ptr %5, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [20 x double], ptr @x, i64 0, i64 %31
  %33 = load double, ptr %32, align 8
  %34 = load double, ptr %3, align 8
  %35 = fadd double %34, %33
  store double %35, ptr %3, align 8
  br label %36

36:
  %37 = load i32, ptr %5, align 4
  %38 = add nsw i32 %37, 1
  store i32 %38, ptr %5, align 4
  br label %26, !llvm.loop !28

39:
  %40 = call double @sum_of(ptr noundef @covariance)
  %41 = load double, ptr %3, align 8
  %42 = call i32 (ptr, ...) @printf(ptr noundef @.str.2, double noundef %40, double noundef %41)
  %43 = load double, ptr %2, align 8
  %44 = fcmp ogt double %43, 0.000000e+00
  br i1 %44, label %45, label %48

45:
  %46 = load double, ptr getelementptr inbounds ([20 x double], ptr getelementptr inbounds ([20 x [20 x double]], ptr @covariance, i64 0, i64 1), i64 0, i64 1), align 8
  %47 = fcmp ogt double %46, 0.000000e+00
  br label %48

48:
  %49 = phi i1 [ false, %39 ], [ %47, %45 ]
  %50 = xor i1 %49, true
  %51 = zext i1 %50 to i32
  ret i32 %51
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
!25 = distinct !{!25, !5}
!26 = distinct !{!26, !5}
!27 = distinct !{!27, !5}
!28 = distinct !{!28, !5}
