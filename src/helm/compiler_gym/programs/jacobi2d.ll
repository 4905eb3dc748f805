source_filename = "jacobi2d.c"

@first = internal global [18 x [18 x double]] zeroinitializer, align 16
@second = internal global [18 x [18 x double]] zeroinitializer, align 16
@other = internal global [18 x [18 x double]] zeroinitializer, align 16
@.str = private unnamed_addr constant [19 x i8] c"%.3f %.3f %.3f %d\0A\00", align 1

define dso_local void @set_edges(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load i32, ptr %3, align 4
  %6 = icmp slt i32 %5, 18
  br i1 %6, label %7, label %31

7:
  %8 = load ptr, ptr %2, align 8
  %9 = getelementptr inbounds [18 x double], ptr %8, i64 0
  %10 = load i32, ptr %3, align 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [18 x double], ptr %9, i64 0, i64 %11
  store double 1.000000e+02, ptr %12, align 8
  %13 = load ptr, ptr %2, align 8
  %14 = getelementptr inbounds [18 x double], ptr %13, i64 17
  %15 = load i32, ptr %3, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [18 x double], ptr %14, i64 0, i64 %16
  store double 0.000000e+00, ptr %17, align 8
  %18 = load ptr, ptr %2, align 8
  %19 = load i32, ptr %3, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [18 x double], ptr %18, i64 %20
  %22 = getelementptr inbounds [18 x double], ptr %21, i64 0, i64 0
  store double 7.500000e+01, ptr %22, align 8
  %23 = load ptr, ptr %2, align 8
  %24 = load i32, ptr %3, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [18 x double], ptr %23, i64 %25
  %27 = getelementptr inbounds [18 x double], ptr %26, i64 0, i64 17
  store double 5.000000e+01, ptr %27, align 8
  br label %28

28:
  %29 = load i32, ptr %3, align 4
  %30 = add nsw i32 %29, 1
  store i32 %30, ptr %3, align 4
  br label %4, !llvm.loop !4

31:
  ret void
}

define dso_local double @jacobi_step(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca double, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca double, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store double 0.000000e+00, ptr %5, align 8
  store i32 1, ptr %6, align 4
  br label %9

9:
  %10 = load i32, ptr %6, align 4
  %11 = icmp slt i32 %10, 17
  br i1 %11, label %12, label %101

12:
  store i32 1, ptr %7, align 4
  br label %13

13:
  %14 = load i32, ptr %7, align 4
  %15 = icmp slt i32 %14, 17
  br i1 %15, label %16, label %97

16:
  %17 = load ptr, ptr %3, align 8
  %18 = load i32, ptr %6, align 4
  %19 = sub nsw i32 %18, 1
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [18 x double], ptr %17, i64 %20
  %22 = load i32, ptr %7, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [18 x double], ptr %21, i64 0, i64 %23
  %25 = load double, ptr %24, align 8
  %26 = load ptr, ptr %3, align 8
  %27 = load i32, ptr %6, align 4
  %28 = add nsw i32 %27, 1
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [18 x double], ptr %26, i64 %29
  %31 = load i32, ptr %7, align 4
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [18 x double], ptr %30, i64 0, i64 %32
  %34 = load double, ptr %33, align 8
  %35 = fadd double %25, %34
  %36 = load ptr, ptr %3, align 8
  %37 = load i32, ptr %6, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [18 x double], ptr %36, i64 %38
  %40 = load i32, ptr %7, align 4
  %41 = sub nsw i32 %40, 1
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [18 x double], ptr %39, i64 0, i64 %42
  %44 = load double, ptr %43, align 8
  %45 = fadd double %35, %44
  %46 = load ptr, ptr %3, align 8
  %47 = load i32, ptr %6, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [18 x double], ptr %46, i64 %48
  %50 = load i32, ptr %7, align 4
  %51 = add nsw i32 %50, 1
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [18 x double], ptr %49, i64 0, i64 %52
  %54 = load double, ptr %53, align 8
  %55 = fadd double %45, %54
  %56 = fmul double 2.500000e-01, %55
  %57 = load ptr, ptr %4, align 8
  %58 = load i32, ptr %6, align 4
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [18 x double], ptr %57, i64 %59
  %61 = load i32, ptr %7, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [18 x double], ptr %60, i64 0, i64 %62
  store double %56, ptr %63, align 8
  %64 = load ptr, ptr %4, align 8
  %65 = load i32, ptr %6, align 4
  %66 = sext i32 %65 to i64
  %67 = getelementptr inbounds [18 x double], ptr %64, i64 %66
  %68 = load i32, ptr %7, align 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [18 x double], ptr %67, i64 0, i64 %69
  %71 = load double, ptr %70, align 8
  %72 = load ptr, ptr %3, align 8
  %73 = load i32, ptr %6, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [18 x double], ptr %72, i64 %74
  %76 = load i32, ptr %7, align 4
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [18 x double], ptr %75, i64 0, i64 %77
  %79 = load double, ptr %78, align 8
  %80 = fsub double %71, %79
  store double %80, ptr %8, align 8
  %81 = load double, ptr %8, align 8
  %82 = load double, ptr %8, align 8
  %83 = fmul double %81, %82
  %84 = load double, ptr %5, align 8
  %85 = fcmp ogt double %83, %84
  br i1 %85, label %86, label %90

86:
  %87 = load double, ptr %8, align 8
  %88 = load double, ptr %8, align 8
  %89 = fmul double %87, %88
  br label %92

90:
  %91 = load double, ptr %5, align 8
  br label %92

92:
  %93 = phi double [ %89, %86 ], [ %91, %90 ]
  store double %93, ptr %5, align 8
  br label %94

94:
  %95 = load i32, ptr %7, align 4
  %96 = add nsw i32 %95, 1
  store i32 %96, ptr %7, align 4
  br label %13, !llvm.loop !6

97:
  br label %98

98:
  %99 = load i32, ptr %6, align 4
  %100 = add nsw i32 %99, 1
  store i32 %100, ptr %6, align 4
  br label %9, !llvm.loop !7

101:
  %102 = load double, ptr %5, align 8
  ret double %102
}

define dso_local double @seidel_step(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca double, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca double, align 8
  %7 = alloca double, align 8
  store ptr %0, ptr %2, align 8
  store double 0.000000e+00, ptr %3, align 8
  store i32 1, ptr %4, align 4
  br label %8

8:
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %9, 17
  br i1 %10, label %11, label %94

11:
  store i32 1, ptr %5, align 4
  br label %12

12:
  %13 = load i32, ptr %5, align 4
  %14 = icmp slt i32 %13, 17
  br i1 %14, label %15, label %90

15:
  %16 = load ptr, ptr %2, align 8
  %17 = load i32, ptr %4, align 4
  %18 = sub nsw i32 %17, 1
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [18 x double], ptr %16, i64 %19
  %21 = load i32, ptr %5, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [18 x double], ptr %20, i64 0, i64 %22
  %24 = load double, ptr %23, align 8
  %25 = load ptr, ptr %2, align 8
  %26 = load i32, ptr %4, align 4
  %27 = add nsw i32 %26, 1
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [18 x double], ptr %25, i64 %28
  %30 = load i32, ptr %5, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [18 x double], ptr %29, i64 0, i64 %31
  %33 = load double, ptr %32, align 8
  %34 = fadd double %24, %33
  %35 = load ptr, ptr %2, align 8
  %36 = load i32, ptr %4, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [18 x double], ptr %35, i64 %37
  %39 = load i32, ptr %5, align 4
  %40 = sub nsw i32 %39, 1
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [18 x double], ptr %38, i64 0, i64 %41
  %43 = load double, ptr %42, align 8
  %44 = fadd double %34, %43
  %45 = load ptr, ptr %2, align 8
  %46 = load i32, ptr %4, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [18 x double], ptr %45, i64 %47
  %49 = load i32, ptr %5, align 4
  %50 = add nsw i32 %49, 1
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [18 x double], ptr %48, i64 0, i64 %51
  %53 = load double, ptr %52, align 8
  %54 = fadd double %44, %53
  %55 = fmul double 2.500000e-01, %54
  store double %55, ptr %6, align 8
  %56 = load double, ptr %6, align 8
  %57 = load ptr, ptr %2, align 8
  %58 = load i32, ptr %4, align 4
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [18 x double], ptr %57, i64 %59
  %61 = load i32, ptr %5, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [18 x double], ptr %60, i64 0, i64 %62
  %64 = load double, ptr %63, align 8
  %65 = fsub double %56, %64
  store double %65, ptr %7, align 8
  %66 = load double, ptr %7, align 8
  %67 = load double, ptr %7, align 8
  %68 = fmul double %66, %67
  %69 = load double, ptr %3, align 8
  %70 = fcmp ogt double %68, %69
  br i1 %70, label %71, label %75

71:
  %72 = load double, ptr %7, align 8
  %73 = load double, ptr %7, align 8
  %74 = fmul double %72, %73
  br label %77

75:
  %76 = load double, ptr %3, align 8
  br label %77

77:
  %78 = phi double [ %74, %71 ], [ %76, %75 ]
  store double %78, ptr %3, align 8
  %79 = load double, ptr %6, align 8
  %80 = load ptr, ptr %2, align 8
  %81 = load i32, ptr %4, align 4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds [18 x double], ptr %80, i64 %82
  %84 = load i32, ptr %5, align 4
  %85 = sext i32 %84 to i64
  %86 = getelementptr inbounds [18 x double], ptr %83, i64 0, i64 %85
  store double %79, ptr %86, align 8
  br label %87

87:
  %88 = load i32, ptr %5, align 4
  %89 = add nsw i32 %88, 1
  store i32 %89, ptr %5, align 4
  br label %12, !llvm.loop !8

90:
  br label %91

91:
  %92 = load i32, ptr %4, align 4
  %93 = add nsw i32 %92, 1
  store i32 %93, ptr %4, align 4
  br label %8, !llvm.loop !9

94:
  %95 = load double, ptr %3, align 8
  ret double %95
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca double, align 8
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  call void @set_edges(ptr noundef @first)
  call void @set_edges(ptr noundef @second)
  call void @set_edges(ptr noundef @other)
  br label %8

8:
  %9 = load i32, ptr %3, align 4
  %10 = icmp slt i32 %9, 2000
  br i1 %10, label %11, label %16

11:
  %12 = call double @jacobi_step(ptr noundef @first, ptr noundef @second)
  %13 = call double @jacobi_step(ptr noundef @second, ptr noundef @first)
  %14 = fadd double %12, %13
  %15 = fcmp ogt double %14, 0x3D06849B86A12B9B
  br label %16

16:
  %17 = phi i1 [ false, %8 ], [ %15, %11 ]
  br i1 %17, label %18, label %21

18:
  %19 = load i32, ptr %3, align 4
  %20 = add nsw i32 %19, 1
  store i32 %20, ptr %3, align 4
  br label %8, !llvm.loop !10

21:
  br label %22

22:
  %23 = load i32, ptr %4, align 4
  %24 = icmp slt i32 %23, 2000
  br i1 %24, label %25, label %28

25:
  %26 = call double @seidel_step(ptr noundef @other)
  %27 = fcmp ogt double %26, 0x3D06849B86A12B9B
  br label %28

28:
  %29 = phi i1 [ false, %22 ], [ %27, %25 ]
  br i1 %29, label %30, label %33

30:
  %31 = load i32, ptr %4, align 4
  %32 = add nsw i32 %31, 1
  store i32 %32, ptr %4, align 4
  br label %22, !llvm.loop !11

33:
  store i32 0, ptr %5, align 4
  br label %34

34:
  %35 = load i32, ptr %5, align 4
  %36 = icmp slt i32 %35, 18
  br i1 %36, label %37, label %71

37:
  store i32 0, ptr %6, align 4
  br label %38

38:
  %39 = load i32, ptr %6, align 4
  %40 = icmp slt i32 %39, 18
  br i1 %40, label %41, label %67

41:
  %42 = load i32, ptr %5, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [18 x [18 x double]], ptr @first, i64 0, i64 %43
  %45 = load i32, ptr %6, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [18 x double], ptr %44, i64 0, i64 %46
  %48 = load double, ptr %47, align 8
  %49 = load i32, ptr %5, align 4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [18 x [18 x double]], ptr @other, i64 0, i64 %50
  %52 = load i32, ptr %6, align 4
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [18 x double], ptr %51, i64 0, i64 %53
  %55 = load double, ptr %54, align 8
  %56 = fsub double %48, %55
  store double %56, ptr %7, align 8
  %57 = load double, ptr %7, align 8
  %58 = load double, ptr %7, align 8
  %59 = fmul double %57, %58
  %60 = fcmp ogt double %59, 1.000000e-08
  %61 = zext i1 %60 to i32
  %62 = load i32, ptr %2, align 4
  %63 = add nsw i32 %62, %61
  store i32 %63, ptr %2, align 4
  br label %64

64:
  %65 = load i32, ptr %6, align 4
  %66 = add nsw i32 %65, 1
  store i32 %66, ptr %6, align 4
  br label %38, !llvm.loop !12

67:
  br label %68

68:
  %69 = load i32, ptr %5, align 4
  %70 = add nsw i32 %69, 1
  store i32 %70, ptr %5, align 4
  br label %34, !llvm.loop !13

71:
  %72 = load double, ptr getelementptr inbounds ([18 x double], ptr getelementptr inbounds ([18 x [18 x double]], ptr @first, i64 0, i64 1), i64 0, i64 1), align 8
  %73 = load double, ptr getelementptr inbounds ([18 x double], ptr getelementptr inbounds ([18 x [18 x double]], ptr @first, i64 0, i64 9), i64 0, i64 9), align 8
  %74 = load double, ptr getelementptr inbounds ([18 x double], ptr getelementptr inbounds ([18 x [18 x double]], ptr @other, i64 0, i64 16), i64 0, i64 3), align 8
  %75 = load i32, ptr %2, align 4
  %76 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %72, double noundef %73, double noundef %74, i32 noundef %75)
  %77 = load i32, ptr %2, align 4
  %78 = icmp ne i32 %77, 0
  br i1 %78, label %90, label %79

79:
  %80 = load i32, ptr %3, align 4
  %81 = icmp eq i32 %80, 2000
  br i1 %81, label %90, label %82

82:
  %83 = load i32, ptr %4, align 4
  %84 = icmp eq i32 %83, 2000
  br i1 %84, label %90, label %85

85:
  %86 = load i32, ptr %4, align 4
  %87 = load i32, ptr %3, align 4
  %88 = mul nsw i32 2, %87
  %89 = icmp sge i32 %86, %88
  br label %90

90:
  %91 = phi i1 [ true, %82 ], [ true, %79 ], [ true, %71 ], [ %89, %85 ]
  %92 = zext i1 %91 to i32
  ret i32 %92
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
