source_filename = "fft.c"

%struct.complex = type { double, double }

@__const.make_roots.step = private unnamed_addr constant %struct.complex { double -1.000000e+00, double 0.000000e+00 }, align 8
@roots = internal global [64 x %struct.complex] zeroinitializer, align 16
@original = internal global [128 x %struct.complex] zeroinitializer, align 16
@signal = internal global [128 x %struct.complex] zeroinitializer, align 16
@.str = private unnamed_addr constant [16 x i8] c"%.3f %.3f %.3f\0A\00", align 1
@.str.1 = private unnamed_addr constant [14 x i8] c"%.3f %.3f %d\0A\00", align 1

define dso_local double @square_root(double noundef %0) #0 {
  %2 = alloca double, align 8
  %3 = alloca double, align 8
  %4 = alloca i32, align 4
  store double %0, ptr %2, align 8
  %5 = load double, ptr %2, align 8
  %6 = fcmp ogt double %5, 1.000000e+00
  br i1 %6, label %7, label %9

7:
  %8 = load double, ptr %2, align 8
  br label %10

9:
  br label %10

10:
  %11 = phi double [ %8, %7 ], [ 1.000000e+00, %9 ]
  store double %11, ptr %3, align 8
  store i32 0, ptr %4, align 4
  br label %12

12:
  %13 = load i32, ptr %4, align 4
  %14 = icmp slt i32 %13, 40
  br i1 %14, label %15, label %25

15:
  %16 = load double, ptr %3, align 8
  %17 = load double, ptr %2, align 8
  %18 = load double, ptr %3, align 8
  %19 = fdiv double %17, %18
  %20 = fadd double %16, %19
  %21 = fdiv double %20, 2.000000e+00
  store double %21, ptr %3, align 8
  br label %22

22:
  %23 = load i32, ptr %4, align 4
  %24 = add nsw i32 %23, 1
  store i32 %24, ptr %4, align 4
  br label %12, !llvm.loop !4

25:
  %26 = load double, ptr %3, align 8
  ret double %26
}

define dso_local { double, double } @times(double %0, double %1, double %2, double %3) #0 {
  %5 = alloca %struct.complex, align 8
  %6 = alloca %struct.complex, align 8
  %7 = alloca %struct.complex, align 8
  %8 = getelementptr inbounds nuw { double, double }, ptr %6, i32 0, i32 0
  store double %0, ptr %8, align 8
  %9 = getelementptr inbounds nuw { double, double }, ptr %6, i32 0, i32 1
  store double %1, ptr %9, align 8
  %10 = getelementptr inbounds nuw { double, double }, ptr %7, i32 0, i32 0
  store double %2, ptr %10, align 8
  %11 = getelementptr inbounds nuw { double, double }, ptr %7, i32 0, i32 1
  store double %3, ptr %11, align 8
  %12 = getelementptr inbounds nuw %struct.complex, ptr %5, i32 0, i32 0
  %13 = getelementptr inbounds nuw %struct.complex, ptr %6, i32 0, i32 0
  %14 = load double, ptr %13, align 8
  %15 = getelementptr inbounds nuw %struct.complex, ptr %7, i32 0, i32 0
  %16 = load double, ptr %15, align 8
  %17 = getelementptr inbounds nuw %struct.complex, ptr %6, i32 0, i32 1
  %18 = load double, ptr %17, align 8
  %19 = getelementptr inbounds nuw %struct.complex, ptr %7, i32 0, i32 1
  %20 = load double, ptr %19, align 8
  %21 = fmul double %18, %20
  %22 = fneg double %21
  %23 = call double @llvm.fmuladd.f64(double %14, double %16, double %22)
  store double %23, ptr %12, align 8
  %24 = getelementptr inbounds nuw %struct.complex, ptr %5, i32 0, i32 1
  %25 = getelementptr inbounds nuw %struct.complex, ptr %6, i32 0, i32 0
  %26 = load double, ptr %25, align 8
  %27 = getelementptr inbounds nuw %struct.complex, ptr %7, i32 0, i32 1
  %28 = load double, ptr %27, align 8
  %29 = getelementptr inbounds nuw %struct.complex, ptr %6, i32 0, i32 1
  %30 = load double, ptr %29, align 8
  %31 = getelementptr inbounds nuw %struct.complex, ptr %7, i32 0, i32 0
  %32 = load double, ptr %31, align 8
  %33 = fmul double %30, %32
  %34 = call double @llvm.fmuladd.f64(double %26, double %28, double %33)
  store double %34, ptr %24, align 8
  %35 = load { double, double }, ptr %5, align 8
  ret { double, double } %35
}

declare double @llvm.fmuladd.f64(double, double, double) #1

define dso_local void @make_roots() #0 {
  %1 = alloca %struct.complex, align 8
  %2 = alloca i32, align 4
  %3 = alloca double, align 8
  %4 = alloca i32, align 4
  %5 = alloca %struct.complex, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %1, ptr align 8 @__const.make_roots.step, i64 16, i1 false)
  store i32 2, ptr %2, align 4
  br label %6

6:
  %7 = load i32, ptr %2, align 4
  %8 = icmp slt i32 %7, 128
  br i1 %8, label %9, label %37

9:
  %10 = getelementptr inbounds nuw %struct.complex, ptr %1, i32 0, i32 0
  %11 = load double, ptr %10, align 8
  store double %11, ptr %3, align 8
  %12 = load double, ptr %3, align 8
  %13 = fadd double 1.000000e+00, %12
  %14 = fdiv double %13, 2.000000e+00
  %15 = call double @square_root(double noundef %14)
  %16 = getelementptr inbounds nuw %struct.complex, ptr %1, i32 0, i32 0
  store double %15, ptr %16, align 8
  %17 = load i32, ptr %2, align 4
  %18 = icmp eq i32 %17, 2
  br i1 %18, label %19, label %20

19:
  br label %26

20:
  %21 = load double, ptr %3, align 8
  %22 = fsub double 1.000000e+00, %21
  %23 = fdiv double %22, 2.000000e+00
  %24 = call double @square_root(double noundef %23)
  %25 = fneg double %24
  br label %26

26:
  %27 = phi double [ -1.000000e+00, %19 ], [ %25, %20 ]
  %28 = getelementptr inbounds nuw %struct.complex, ptr %1, i32 0, i32 1
  store double %27, ptr %28, align 8
  %29 = load i32, ptr %2, align 4
  %30 = icmp eq i32 %29, 2
  br i1 %30, label %31, label %33

31:
  %32 = getelementptr inbounds nuw %struct.complex, ptr %1, i32 0, i32 0
  store double 0.000000e+00, ptr %32, align 8
  br label %33

33:
  br label %34

34:
  %35 = load i32, ptr %2, align 4
  %36 = mul nsw i32 %35, 2
  store i32 %36, ptr %2, align 4
  br label %6, !llvm.loop !6

37:
  store double 1.000000e+00, ptr @roots, align 16
  store i32 1, ptr %4, align 4
  br label %38

38:
  %39 = load i32, ptr %4, align 4
  %40 = icmp slt i32 %39, 64
  br i1 %40, label %41, label %65

41:
  %42 = load i32, ptr %4, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [64 x %struct.complex], ptr @roots, i64 0, i64 %43
  %45 = load i32, ptr %4, align 4
  %46 = sub nsw i32 %45, 1
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [64 x %struct.complex], ptr @roots, i64 0, i64 %47
  %49 = getelementptr inbounds nuw { double, double }, ptr %48, i32 0, i32 0
  %50 = load double, ptr %49, align 16
  %51 = getelementptr inbounds nuw { double, double }, ptr %48, i32 0, i32 1
  %52 = load double, ptr %51, align 8
  %53 = getelementptr inbounds nuw { double, double }, ptr %1, i32 0, i32 0
  %54 = load double, ptr %53, align 8
  %55 = getelementptr inbounds nuw { double, double }, ptr %1, i32 0, i32 1
  %56 = load double, ptr %55, align 8
  %57 = call { double, double } @times(double %50, double %52, double %54, double %56)
  %58 = getelementptr inbounds nuw { double, double }, ptr %5, i32 0, i32 0
  %59 = extractvalue { double, double } %57, 0
  store double %59, ptr %58, align 8
  %60 = getelementptr inbounds nuw { double, double }, ptr %5, i32 0, i32 1
  %61 = extractvalue { double, double } %57, 1
  store double %61, ptr %60, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %44, ptr align 8 %5, i64 16, i1 false)
  br label %62

62:
  %63 = load i32, ptr %4, align 4
  %64 = add nsw i32 %63, 1
  store i32 %64, ptr %4, align 4
  br label %38, !llvm.loop !7

65:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #2

define dso_local void @transform(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca %struct.complex, align 8
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca %struct.complex, align 8
  %13 = alloca %struct.complex, align 8
  %14 = alloca %struct.complex, align 8
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 1, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %15

15:
  %16 = load i32, ptr %5, align 4
  %17 = icmp slt i32 %16, 128
  br i1 %17, label %18, label %59

18:
  store i32 64, ptr %7, align 4
  br label %19

19:
  %20 = load i32, ptr %6, align 4
  %21 = load i32, ptr %7, align 4
  %22 = and i32 %20, %21
  %23 = icmp ne i32 %22, 0
  br i1 %23, label %24, label %31

24:
  %25 = load i32, ptr %7, align 4
  %26 = load i32, ptr %6, align 4
  %27 = xor i32 %26, %25
  store i32 %27, ptr %6, align 4
  br label %28

28:
  %29 = load i32, ptr %7, align 4
  %30 = sdiv i32 %29, 2
  store i32 %30, ptr %7, align 4
  br label %19, !llvm.loop !8

31:
  %32 = load i32, ptr %7, align 4
  %33 = load i32, ptr %6, align 4
  %34 = xor i32 %33, %32
  store i32 %34, ptr %6, align 4
  %35 = load i32, ptr %5, align 4
  %36 = load i32, ptr %6, align 4
  %37 = icmp slt i32 %35, %36
  br i1 %37, label %38, label %55

38:
  %39 = load ptr, ptr %3, align 8
  %40 = load i32, ptr %5, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds %struct.complex, ptr %39, i64 %41
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %8, ptr align 8 %42, i64 16, i1 false)
  %43 = load ptr, ptr %3, align 8
  %44 = load i32, ptr %5, align 4
  %45 = sext i32 %44 to i64
  %46 = getelementptr inbounds %struct.complex, ptr %43, i64 %45
  %47 = load ptr, ptr %3, align 8
  %48 = load i32, ptr %6, align 4
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds %struct.complex, ptr %47, i64 %49
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %46, ptr align 8 %50, i64 16, i1 false)
  %51 = load ptr, ptr %3, align 8
  %52 = load i32, ptr %6, align 4
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds %struct.complex, ptr %51, i64 %53
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %54, ptr align 8 %8, i64 16, i1 false)
  br label %55

55:
  br label %56

56:
  %57 = load i32, ptr %5, align 4
  %58 = add nsw i32 %57, 1
  store i32 %58, ptr %5, align 4
  br label %15, !llvm.loop !9

59:
  store i32 2, ptr %9, align 4
  br label %60

60:
  %61 = load i32, ptr %9, align 4
  %62 = icmp sle i32 %61, 128
  br i1 %62, label %63, label %182

63:
  store i32 0, ptr %10, align 4
  br label %64

64:
  %65 = load i32, ptr %10, align 4
  %66 = icmp slt i32 %65, 128
  br i1 %66, label %67, label %178

67:
  store i32 0, ptr %11, align 4
  br label %68

68:
  %69 = load i32, ptr %11, align 4
  %70 = load i32, ptr %9, align 4
  %71 = sdiv i32 %70, 2
  %72 = icmp slt i32 %69, %71
  br i1 %72, label %73, label %173

73:
  %74 = load i32, ptr %11, align 4
  %75 = load i32, ptr %9, align 4
  %76 = sdiv i32 128, %75
  %77 = mul nsw i32 %74, %76
  %78 = sext i32 %77 to i64
  %79 = getelementptr inbounds [64 x %struct.complex], ptr @roots, i64 0, i64 %78
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %12, ptr align 16 %79, i64 16, i1 false)
  %80 = load i32, ptr %4, align 4
  %81 = icmp ne i32 %80, 0
  br i1 %81, label %82, label %87

82:
  %83 = getelementptr inbounds nuw %struct.complex, ptr %12, i32 0, i32 1
  %84 = load double, ptr %83, align 8
  %85 = fneg double %84
  %86 = getelementptr inbounds nuw %struct.complex, ptr %12, i32 0, i32 1
  store double %85, ptr %86, align 8
  br label %87

87:
  %88 = load ptr, ptr %3, align 8
  %89 = load i32, ptr %10, align 4
  %90 = load i32, ptr %11, align 4
  %91 = add nsw i32 %89, %90
  %92 = load i32, ptr %9, align 4
  %93 = sdiv i32 %92, 2
  %94 = add nsw i32 %91, %93
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds %struct.complex, ptr %88, i64 %95
  %97 = getelementptr inbounds nuw { double, double }, ptr %96, i32 0, i32 0
  %98 = load double, ptr %97, align 8
  %99 = getelementptr inbounds nuw { double, double }, ptr %96, i32 0, i32 1
  %100 = load double, ptr %99, align 8
  %101 = getelementptr inbounds nuw { double, double }, ptr %12, i32 0, i32 0
  %102 = load double, ptr %101, align 8
  %103 = getelementptr inbounds nuw { double, double }, ptr %12, i32 0, i32 1
  %104 = load double, ptr %103, align 8
  %105 = call { double, double } @times(double %98, double %100, double %102, double %104)
  %106 = getelementptr inbounds nuw { double, double }, ptr %13, i32 0, i32 0
  %107 = extractvalue { double, double } %105, 0
  store double %107, ptr %106, align 8
  %108 = getelementptr inbounds nuw { double, double }, ptr %13, i32 0, i32 1
  %109 = extractvalue { double, double } %105, 1
  store double %109, ptr %108, align 8
  %110 = load ptr, ptr %3, align 8
  %111 = load i32, ptr %10, align 4
  %112 = load i32, ptr %11, align 4
  %113 = add nsw i32 %111, %112
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds %struct.complex, ptr %110, i64 %114
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %14, ptr align 8 %115, i64 16, i1 false)
  %116 = getelementptr inbounds nuw %struct.complex, ptr %14, i32 0, i32 0
  %117 = load double, ptr %116, align 8
  %118 = getelementptr inbounds nuw %struct.complex, ptr %13, i32 0, i32 0
  %119 = load double, ptr %118, align 8
  %120 = fadd double %117, %119
  %121 = load ptr, ptr %3, align 8
  %122 = load i32, ptr %10, align 4
  %123 = load i32, ptr %11, align 4
  %124 = add nsw i32 %122, %123
  %125 = sext i32 %124 to i64
  %126 = getelementptr inbounds %struct.complex, ptr %121, i64 %125
  %127 = getelementptr inbounds nuw %struct.complex, ptr %126, i32 0, i32 0
  store double %120, ptr %127, align 8
  %128 = getelementptr inbounds nuw %struct.complex, ptr %14, i32 0, i32 1
  %129 = load double, ptr %128, align 8
  %130 = getelementptr inbounds nuw %struct.complex, ptr %13, i32 0, i32 1
  %131 = load double, ptr %130, align 8
  %132 = fadd double %129, %131
  %133 = load ptr, ptr %3, align 8
  %134 = load i32, ptr %10, align 4
  %135 = load i32, ptr %11, align 4
  %136 = add nsw i32 %134, %135
  %137 = sext i32 %136 to i64
  %138 = getelementptr inbounds %struct.complex, ptr %133, i64 %137
  %139 = getelementptr inbounds nuw %struct.complex, ptr %138, i32 0, i32 1
  store double %132, ptr %139, align 8
  %140 = getelementptr inbounds nuw %struct.complex, ptr %14, i32 0, i32 0
  %141 = load double, ptr %140, align 8
  %142 = getelementptr inbounds nuw %struct.complex, ptr %13, i32 0, i32 0
  %143 = load double, ptr %142, align 8
  %144 = fsub double %141, %143
  %145 = load ptr, ptr %3, align 8
  %146 = load i32, ptr %10, align 4
  %147 = load i32, ptr %11, align 4
  %148 = add nsw i32 %146, %147
  %149 = load i32, ptr %9, align 4
  %150 = sdiv i32 %149, 2
  %151 = add nsw i32 %148, %150
  %152 = sext i32 %151 to i64
  %153 = getelementptr inbounds %struct.complex, ptr %145, i64 %152
  %154 = getelementptr inbounds nuw %struct.complex, ptr %153, i32 0, i32 0
  store double %144, ptr %154, align 8
  %155 = getelementptr inbounds nuw %struct.complex, ptr %14, i32 0, i32 1
  %156 = load double, ptr %155, align 8
  %157 = getelementptr inbounds nuw %struct.complex, ptr %13, i32 0, i32 1
  %158 = load double, ptr %157, align 8
  %159 = fsub double %156, %158
  %160 = load ptr, ptr %3, align 8
  %161 = load i32, ptr %10, align 4
  %162 = load i32, ptr %11, align 4
  %163 = add nsw i32 %161, %162
  %164 = load i32, ptr %9, align 4
  %165 = sdiv i32 %164, 2
  %166 = add nsw i32 %163, %165
  %167 = sext i32 %166 to i64
  %168 = getelementptr inbounds %struct.complex, ptr %160, i64 %167
  %169 = getelementptr inbounds nuw %struct.complex, ptr %168, i32 0, i32 1
  store double %159, ptr %169, align 8
  br label %170

170:
  %171 = load i32, ptr %11, align 4
  %172 = add nsw i32 %171, 1
  store i32 %172, ptr %11, align 4
  br label %68, !llvm.loop !10

173:
  br label %174

174:
  %175 = load i32, ptr %9, align 4
  %176 = load i32, ptr %10, align 4
  %177 = add nsw i32 %176, %175
  store i32 %177, ptr %10, align 4
  br label %64, !llvm.loop !11

178:
  br label %179

179:
  %180 = load i32, ptr %9, align 4
  %181 = mul nsw i32 %180, 2
  store i32 %181, ptr %9, align 4
  br label %60, !llvm.loop !12

182:
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca double, align 8
  %3 = alloca double, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca double, align 8
  %9 = alloca double, align 8
  store i32 0, ptr %1, align 4
  store double 0.000000e+00, ptr %2, align 8
  store double 0.000000e+00, ptr %3, align 8
  store i32 0, ptr %4, align 4
  call void @make_roots()
  store i32 0, ptr %5, align 4
  br label %10

10:
  %11 = load i32, ptr %5, align 4
  %12 = icmp slt i32 %11, 128
  br i1 %12, label %13, label %67

13:
  %14 = load i32, ptr %5, align 4
  %15 = mul nsw i32 %14, 37
  %16 = srem i32 %15, 19
  %17 = sub nsw i32 %16, 9
  %18 = sitofp i32 %17 to double
  %19 = load i32, ptr %5, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [128 x %struct.complex], ptr @original, i64 0, i64 %20
  %22 = getelementptr inbounds nuw %struct.complex, ptr %21, i32 0, i32 0
  store double %18, ptr %22, align 16
  %23 = load i32, ptr %5, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [128 x %struct.complex], ptr @signal, i64 0, i64 %24
  %26 = getelementptr inbounds nuw %struct.complex, ptr %25, i32 0, i32 0
  store double %18, ptr %26, align 16
  %27 = load i32, ptr %5, align 4
  %28 = mul nsw i32 %27, 11
  %29 = srem i32 %28, 7
  %30 = sub nsw i32 %29, 3
  %31 = sitofp i32 %30 to double
  %32 = load i32, ptr %5, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [128 x %struct.complex], ptr @original, i64 0, i64 %33
  %35 = getelementptr inbounds nuw %struct.complex, ptr %34, i32 0, i32 1
  store double %31, ptr %35, align 8
  %36 = load i32, ptr %5, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [128 x %struct.complex], ptr @signal, i64 0, i64 %37
  %39 = getelementptr inbounds nuw %struct.complex, ptr %38, i32 0, i32 1
  store double %31, ptr %39, align 8
  %40 = load i32, ptr %5, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [128 x %struct.complex], ptr @original, i64 0, i64 %41
  %43 = getelementptr inbounds nuw %struct.complex, ptr %42, i32 0, i32 0
  %44 = load double, ptr %43, align 16
  %45 = load i32, ptr %5, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [128 x %struct.complex], ptr @original, i64 0, i64 %46
  %48 = getelementptr inbounds nuw %struct.complex, ptr %47, i32 0, i32 0
  %49 = load double, ptr %48, align 16
  %50 = load i32, ptr %5, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [128 x %struct.complex], ptr @original, i64 0, i64 %51
  %53 = getelementptr inbounds nuw %struct.complex, ptr %52, i32 0, i32 1
  %54 = load double, ptr %53, align 8
  %55 = load i32, ptr %5, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [128 x %struct.complex], ptr @original, i64 0, i64 %56
  %58 = getelementptr inbounds nuw %struct.complex, ptr %57, i32 0, i32 1
  %59 = load double, ptr %58, align 8
  %60 = fmul double %54, %59
  %61 = call double @llvm.fmuladd.f64(double %44, double %49, double %60)
  %62 = load double, ptr %2, align 8
  %63 = fadd double %62, %61
  store double %63, ptr %2, align 8
  br label %64

64:
  %65 = load i32, ptr %5, align 4
  %66 = add nsw i32 %65, 1
  store i32 %66, ptr %5, align 4
  br label %10, !llvm.loop !13

67:
  call void @transform(ptr noundef @signal, i32 noundef 0)
  %68 = load double, ptr @signal, align 16
  %69 = load double, ptr getelementptr inbounds ([128 x %struct.complex], ptr @signal, i64 0, i64 1), align 16
  %70 = load double, ptr getelementptr inbounds nuw (%struct.complex, ptr getelementptr inbounds ([128 x %struct.complex], ptr @signal, i64 0, i64 64), i32 0, i32 1), align 8
  %71 = call i32 (ptr, ...) @printf(ptr noundef @.str, double noundef %68, double noundef %69, double noundef %70)
  store i32 0, ptr %6, align 4
  br label %72

72:
  %73 = load i32, ptr %6, align 4
  %74 = icmp slt i32 %73, 128
  br i1 %74, label %75, label %103

75:
  %76 = load i32, ptr %6, align 4
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [128 x %struct.complex], ptr @signal, i64 0, i64 %77
  %79 = getelementptr inbounds nuw %struct.complex, ptr %78, i32 0, i32 0
  %80 = load double, ptr %79, align 16
  %81 = load i32, ptr %6, align 4
  %82 = sext i32 %81 to i64
  %83 = getelementptr inbounds [128 x %struct.complex], ptr @signal, i64 0, i64 %82
  %84 = getelementptr inbounds nuw %struct.complex, ptr %83, i32 0, i32 0
  %85 = load double, ptr %84, align 16
  %86 = load i32, ptr %6, align 4
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds [128 x %struct.complex], ptr @signal, i64 0, i64 %87
  %89 = getelementptr inbounds nuw %struct.complex, ptr %88, i32 0, i32 1
  %90 = load double, ptr %89, align 8
  %91 = load i32, ptr %6, align 4
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds [128 x %struct.complex], ptr @signal, i64 0, i64 %92
  %94 = getelementptr inbounds nuw %struct.complex, ptr %93, i32 0, i32 1
  %95 = load double, ptr %94, align 8
  %96 = fmul double %90, %95
  %97 = call double @llvm.fmuladd.f64(double %80, double %85, double %96)
  %98 = load double, ptr %3, align 8
  %99 = fadd double %98, %97
  store double %99, ptr %3, align 8
  br label %100

100:
  %101 = load i32, ptr %6, align 4
  %102 = add nsw i32 %101, 1
  store i32 %102, ptr %6, align 4
  br label %72, !llvm.loop !14

103:
  call void @transform(ptr noundef @signal, i32 noundef 1)
  store i32 0, ptr %7, align 4
  br label %104

104:
  %105 = load i32, ptr %7, align 4
  %106 = icmp slt i32 %105, 128
  br i1 %106, label %107, label %145

107:
  %108 = load i32, ptr %7, align 4
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds [128 x %struct.complex], ptr @signal, i64 0, i64 %109
  %111 = getelementptr inbounds nuw %struct.complex, ptr %110, i32 0, i32 0
  %112 = load double, ptr %111, align 16
  %113 = fdiv double %112, 1.280000e+02
  %114 = load i32, ptr %7, align 4
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds [128 x %struct.complex], ptr @original, i64 0, i64 %115
  %117 = getelementptr inbounds nuw %struct.complex, ptr %116, i32 0, i32 0
  %118 = load double, ptr %117, align 16
  %119 = fsub double %113, %118
  store double %119, ptr %8, align 8
  %120 = load i32, ptr %7, align 4
  %121 = sext i32 %120 to i64
  %122 = getelementptr inbounds [128 x %struct.complex], ptr @signal, i64 0, i64 %121
  %123 = getelementptr inbounds nuw %struct.complex, ptr %122, i32 0, i32 1
  %124 = load double, ptr %123, align 8
  %125 = fdiv double %124, 1.280000e+02
  %126 = load i32, ptr %7, align 4
  %127 = sext i32 %126 to i64
  %128 = getelementptr inbounds [128 x %struct.complex], ptr @original, i64 0, i64 %127
  %129 = getelementptr inbounds nuw %struct.complex, ptr %128, i32 0, i32 1
  %130 = load double, ptr %129, align 8
  %131 = fsub double %125, %130
  store double %131, ptr %9, align 8
  %132 = load double, ptr %8, align 8
  %133 = load double, ptr %8, align 8
  %134 = load double, ptr %9, align 8
  %135 = load double, ptr %9, align 8
  %136 = fmul double %134, %135
  %137 = call double @llvm.fmuladd.f64(double %132, double %133, double %136)
  %138 = fcmp ogt double %137, 1.000000e-18
  %139 = zext i1 %138 to i32
  %140 = load i32, ptr %4, align 4
  %141 = add nsw i32 %140, %139
  store i32 %141, ptr %4, align 4
  br label %142

142:
  %143 = load i32, ptr %7, align 4
  %144 = add nsw i32 %143, 1
  store i32 %144, ptr %7, align 4
  br label %104, !llvm.loop !15

145:
  %146 = load double, ptr %2, align 8
  %147 = load double, ptr %3, align 8
  %148 = fdiv double %147, 1.280000e+02
  %149 = load i32, ptr %4, align 4
  %150 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, double noundef %146, double noundef %148, i32 noundef %149)
  %151 = load i32, ptr %4, align 4
  %152 = icmp ne i32 %151, 0
  %153 = zext i1 %152 to i32
  ret i32 %153
}

declare dso_local i32 @printf(ptr noundef, ...) #3

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { nounwind }
attributes #2 = { nounwind }
attributes #3 = { "no-trapping-math"="true" }


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
