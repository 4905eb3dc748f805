source_filename = "mandelbrot.c"

@shade.shades = internal constant [11 x i8] c" .:-=+*#%@\00", align 1
@picture = internal global [32 x [65 x i8]] zeroinitializer, align 16
@.str = private unnamed_addr constant [13 x i8] c"%s\0A%u %d %d\0A\00", align 1

define dso_local i32 @escape(double noundef %0, double noundef %1) #0 {
  %3 = alloca double, align 8
  %4 = alloca double, align 8
  %5 = alloca double, align 8
  %6 = alloca double, align 8
  %7 = alloca i32, align 4
  %8 = alloca double, align 8
  store double %0, ptr %3, align 8
  store double %1, ptr %4, align 8
  store double 0.000000e+00, ptr %5, align 8
  store double 0.000000e+00, ptr %6, align 8
  store i32 0, ptr %7, align 4
  br label %9

9:
  %10 = load i32, ptr %7, align 4
  %11 = icmp slt i32 %10, 60
  br i1 %11, label %12, label %20

12:
  %13 = load double, ptr %5, align 8
  %14 = load double, ptr %5, align 8
  %15 = load double, ptr %6, align 8
  %16 = load double, ptr %6, align 8
  %17 = fmul double %15, %16
  %18 = call double @llvm.fmuladd.f64(double %13, double %14, double %17)
  %19 = fcmp ole double %18, 4.000000e+00
  br label %20

20:
  %21 = phi i1 [ false, %9 ], [ %19, %12 ]
  br i1 %21, label %22, label %40

22:
  %23 = load double, ptr %5, align 8
  %24 = load double, ptr %5, align 8
  %25 = load double, ptr %6, align 8
  %26 = load double, ptr %6, align 8
  %27 = fmul double %25, %26
  %28 = fneg double %27
  %29 = call double @llvm.fmuladd.f64(double %23, double %24, double %28)
  %30 = load double, ptr %3, align 8
  %31 = fadd double %29, %30
  store double %31, ptr %8, align 8
  %32 = load double, ptr %5, align 8
  %33 = fmul double 2.000000e+00, %32
  %34 = load double, ptr %6, align 8
  %35 = load double, ptr %4, align 8
  %36 = call double @llvm.fmuladd.f64(double %33, double %34, double %35)
  store double %36, ptr %6, align 8
  %37 = load double, ptr %8, align 8
  store double %37, ptr %5, align 8
  %38 = load i32, ptr %7, align 4
  %39 = add nsw i32 %38, 1
  store i32 %39, ptr %7, align 4
  br label %9, !llvm.loop !4

40:
  %41 = load i32, ptr %7, align 4
  ret i32 %41
}

declare double @llvm.fmuladd.f64(double, double, double) #1

define dso_local i64 @times(i64 noundef %0, i64 noundef %1) #0 {
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  store i64 %0, ptr %3, align 8
  store i64 %1, ptr %4, align 8
  %5 = load i64, ptr %3, align 8
  %6 = load i64, ptr %4, align 8
  %7 = mul nsw i64 %5, %6
  %8 = ashr i64 %7, 20
  ret i64 %8
}

define dso_local i32 @escape_fixed(i64 noundef %0, i64 noundef %1) #0 {
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  %6 = alloca i64, align 8
  %7 = alloca i32, align 4
  %8 = alloca i64, align 8
  %9 = alloca i64, align 8
  store i64 %0, ptr %3, align 8
  store i64 %1, ptr %4, align 8
  store i64 0, ptr %5, align 8
  store i64 0, ptr %6, align 8
  store i32 0, ptr %7, align 4
  br label %10

10:
  %11 = load i32, ptr %7, align 4
  %12 = icmp slt i32 %11, 60
  br i1 %12, label %13, label %40

13:
  %14 = load i64, ptr %5, align 8
  %15 = load i64, ptr %5, align 8
  %16 = call i64 @times(i64 noundef %14, i64 noundef %15)
  store i64 %16, ptr %8, align 8
  %17 = load i64, ptr %6, align 8
  %18 = load i64, ptr %6, align 8
  %19 = call i64 @times(i64 noundef %17, i64 noundef %18)
  store i64 %19, ptr %9, align 8
  %20 = load i64, ptr %8, align 8
  %21 = load i64, ptr %9, align 8
  %22 = add nsw i64 %20, %21
  %23 = icmp sgt i64 %22, 4194304
  br i1 %23, label %24, label %25

24:
  br label %40

25:
  %26 = load i64, ptr %5, align 8
  %27 = load i64, ptr %6, align 8
  %28 = call i64 @times(i64 noundef %26, i64 noundef %27)
  %29 = mul nsw i64 2, %28
  %30 = load i64, ptr %4, align 8
  %31 = add nsw i64 %29, %30
  store i64 %31, ptr %6, align 8
  %32 = load i64, ptr %8, align 8
  %33 = load i64, ptr %9, align 8
  %34 = sub nsw i64 %32, %33
  %35 = load i64, ptr %3, align 8
  %36 = add nsw i64 %34, %35
  store i64 %36, ptr %5, align 8
  br label %37

37:
  %38 = load i32, ptr %7, align 4
  %39 = add nsw i32 %38, 1
  store i32 %39, ptr %7, align 4
  br label %10, !llvm.loop !6

40:
  %41 = load i32, ptr %7, align 4
  ret i32 %41
}

define dso_local signext i8 @shade(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = icmp sge i32 %3, 60
  br i1 %4, label %5, label %6

5:
  br label %14

6:
  %7 = load i32, ptr %2, align 4
  %8 = mul nsw i32 %7, 9
  %9 = sdiv i32 %8, 60
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [11 x i8], ptr @shade.shades, i64 0, i64 %10
  %12 = load i8, ptr %11, align 1
  %13 = sext i8 %12 to i32
  br label %14

14:
  %15 = phi i32 [ 64, %5 ], [ %13, %6 ]
  %16 = trunc i32 %15 to i8
  ret i8 %16
}

define dso_local i32 @draw(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %7

7:
  %8 = load i32, ptr %4, align 4
  %9 = icmp slt i32 %8, 32
  br i1 %9, label %10, label %67

10:
  store i32 0, ptr %5, align 4
  br label %11

11:
  %12 = load i32, ptr %5, align 4
  %13 = icmp slt i32 %12, 64
  br i1 %13, label %14, label %59

14:
  %15 = load i32, ptr %2, align 4
  %16 = icmp ne i32 %15, 0
  br i1 %16, label %17, label %31

17:
  %18 = load i32, ptr %5, align 4
  %19 = sext i32 %18 to i64
  %20 = mul nsw i64 %19, 3
  %21 = shl i64 %20, 20
  %22 = sdiv i64 %21, 64
  %23 = sub nsw i64 %22, 2097152
  %24 = load i32, ptr %4, align 4
  %25 = sext i32 %24 to i64
  %26 = mul nsw i64 %25, 2
  %27 = shl i64 %26, 20
  %28 = sdiv i64 %27, 32
  %29 = sub nsw i64 %28, 1048576
  %30 = call i32 @escape_fixed(i64 noundef %23, i64 noundef %29)
  store i32 %30, ptr %6, align 4
  br label %43

31:
  %32 = load i32, ptr %5, align 4
  %33 = sitofp i32 %32 to double
  %34 = fmul double %33, 3.000000e+00
  %35 = fdiv double %34, 6.400000e+01
  %36 = fsub double %35, 2.000000e+00
  %37 = load i32, ptr %4, align 4
  %38 = sitofp i32 %37 to double
  %39 = fmul double %38, 2.000000e+00
  %40 = fdiv double %39, 3.200000e+01
  %41 = fsub double %40, 1.000000e+00
  %42 = call i32 @escape(double noundef %36, double noundef %41)
  store i32 %42, ptr %6, align 4
  br label %43

43:
  %44 = load i32, ptr %6, align 4
  %45 = call signext i8 @shade(i32 noundef %44)
  %46 = load i32, ptr %4, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [32 x [65 x i8]], ptr @picture, i64 0, i64 %47
  %49 = load i32, ptr %5, align 4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [65 x i8], ptr %48, i64 0, i64 %50
  store i8 %45, ptr %51, align 1
  %52 = load i32, ptr %3, align 4
  %53 = mul i32 %52, 31
  %54 = load i32, ptr %6, align 4
  %55 = add i32 %53, %54
  store i32 %55, ptr %3, align 4
  br label %56

56:
  %57 = load i32, ptr %5, align 4
  %58 = add nsw i32 %57, 1
  store i32 %58, ptr %5, align 4
  br label %11, !llvm.loop !7

59:
  %60 = load i32, ptr %4, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [32 x [65 x i8]], ptr @picture, i64 0, i64 %61
  %63 = getelementptr inbounds [65 x i8], ptr %62, i64 0, i64 64
  store i8 0, ptr %63, align 1
  br label %64

64:
  %65 = load i32, ptr %4, align 4
  %66 = add nsw i32 %65, 1
  store i32 %66, ptr %4, align 4
  br label %7, !llvm.loop !8

67:
  %68 = load i32, ptr %3, align 4
  ret i32 %68
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  %7 = call i32 @draw(i32 noundef 0)
  store i32 %7, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %8

8:
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %9, 32
  br i1 %10, label %11, label %35

11:
  %12 = load i32, ptr %4, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [32 x [65 x i8]], ptr @picture, i64 0, i64 %13
  %15 = getelementptr inbounds [65 x i8], ptr %14, i64 0, i64 0
  store ptr %15, ptr %5, align 8
  br label %16

16:
  %17 = load ptr, ptr %5, align 8
  %18 = load i8, ptr %17, align 1
  %19 = icmp ne i8 %18, 0
  br i1 %19, label %20, label %31

20:
  %21 = load ptr, ptr %5, align 8
  %22 = load i8, ptr %21, align 1
  %23 = sext i8 %22 to i32
  %24 = icmp eq i32 %23, 64
  %25 = zext i1 %24 to i32
  %26 = load i32, ptr %3, align 4
  %27 = add nsw i32 %26, %25
  store i32 %27, ptr %3, align 4
  br label %28

28:
  %29 = load ptr, ptr %5, align 8
  %30 = getelementptr inbounds nuw i8, ptr %29, i32 1
  store ptr %30, ptr %5, align 8
  br label %16, !llvm.loop !9

31:
  br label %32

32:
  %33 = load i32, ptr %4, align 4
  %34 = add nsw i32 %33, 1
  store i32 %34, ptr %4, align 4
  br label %8, !llvm.loop !10

35:
  %36 = call i32 @draw(i32 noundef 1)
  store i32 %36, ptr %6, align 4
  %37 = load i32, ptr %2, align 4
  %38 = load i32, ptr %3, align 4
  %39 = load i32, ptr %6, align 4
  %40 = icmp ne i32 %39, 0
  %41 = zext i1 %40 to i32
  %42 = call i32 (ptr, ...) @printf(ptr noundef @.str, ptr noundef getelementptr inbounds ([32 x [65 x i8]], ptr @picture, i64 0, i64 16), i32 noundef %37, i32 noundef %38, i32 noundef %41)
  ret i32 0
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
