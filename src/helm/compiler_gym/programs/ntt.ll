source_filename = "ntt.c"

@a = internal global [128 x i32] zeroinitializer, align 16
@b = internal global [128 x i32] zeroinitializer, align 16
@product = internal global [128 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [12 x i8] c"%u %08x %d\0A\00", align 1

define dso_local i32 @multiply(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %5 = load i32, ptr %3, align 4
  %6 = zext i32 %5 to i64
  %7 = load i32, ptr %4, align 4
  %8 = zext i32 %7 to i64
  %9 = mul i64 %6, %8
  %10 = urem i64 %9, 998244353
  %11 = trunc i64 %10 to i32
  ret i32 %11
}

define dso_local i32 @power(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  store i32 1, ptr %5, align 4
  br label %6

6:
  %7 = load i32, ptr %4, align 4
  %8 = icmp ne i32 %7, 0
  br i1 %8, label %9, label %24

9:
  %10 = load i32, ptr %4, align 4
  %11 = and i32 %10, 1
  %12 = icmp ne i32 %11, 0
  br i1 %12, label %13, label %17

13:
  %14 = load i32, ptr %5, align 4
  %15 = load i32, ptr %3, align 4
  %16 = call i32 @multiply(i32 noundef %14, i32 noundef %15)
  store i32 %16, ptr %5, align 4
  br label %17

17:
  br label %18

18:
  %19 = load i32, ptr %4, align 4
  %20 = lshr i32 %19, 1
  store i32 %20, ptr %4, align 4
  %21 = load i32, ptr %3, align 4
  %22 = load i32, ptr %3, align 4
  %23 = call i32 @multiply(i32 noundef %21, i32 noundef %22)
  store i32 %23, ptr %3, align 4
  br label %6, !llvm.loop !4

24:
  %25 = load i32, ptr %5, align 4
  ret i32 %25
}

define dso_local void @transform(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 1, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %16

16:
  %17 = load i32, ptr %5, align 4
  %18 = icmp slt i32 %17, 128
  br i1 %18, label %19, label %63

19:
  store i32 64, ptr %7, align 4
  br label %20

20:
  %21 = load i32, ptr %6, align 4
  %22 = load i32, ptr %7, align 4
  %23 = and i32 %21, %22
  %24 = icmp ne i32 %23, 0
  br i1 %24, label %25, label %32

25:
  %26 = load i32, ptr %7, align 4
  %27 = load i32, ptr %6, align 4
  %28 = xor i32 %27, %26
  store i32 %28, ptr %6, align 4
  br label %29

29:
  %30 = load i32, ptr %7, align 4
  %31 = ashr i32 %30, 1
  store i32 %31, ptr %7, align 4
  br label %20, !llvm.loop !6

32:
  %33 = load i32, ptr %7, align 4
  %34 = load i32, ptr %6, align 4
  %35 = xor i32 %34, %33
  store i32 %35, ptr %6, align 4
  %36 = load i32, ptr %5, align 4
  %37 = load i32, ptr %6, align 4
  %38 = icmp slt i32 %36, %37
  br i1 %38, label %39, label %59

39:
  %40 = load ptr, ptr %3, align 8
  %41 = load i32, ptr %5, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds i32, ptr %40, i64 %42
  %44 = load i32, ptr %43, align 4
  store i32 %44, ptr %8, align 4
  %45 = load ptr, ptr %3, align 8
  %46 = load i32, ptr %6, align 4
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds i32, ptr %45, i64 %47
  %49 = load i32, ptr %48, align 4
  %50 = load ptr, ptr %3, align 8
  %51 = load i32, ptr %5, align 4
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds i32, ptr %50, i64 %52
  store i32 %49, ptr %53, align 4
  %54 = load i32, ptr %8, align 4
  %55 = load ptr, ptr %3, align 8
  %56 = load i32, ptr %6, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds i32, ptr %55, i64 %57
  store i32 %54, ptr %58, align 4
  br label %59

59:
  br label %60

60:
  %61 = load i32, ptr %5, align 4
  %62 = add nsw i32 %61, 1
  store i32 %62, ptr %5, align 4
  br label %16, !llvm.loop !7

63:
  store i32 2, ptr %9, align 4
  br label %64

64:
  %65 = load i32, ptr %9, align 4
  %66 = icmp sle i32 %65, 128
  br i1 %66, label %67, label %135

67:
  %68 = load i32, ptr %4, align 4
  %69 = load i32, ptr %9, align 4
  %70 = sdiv i32 128, %69
  %71 = call i32 @power(i32 noundef %68, i32 noundef %70)
  store i32 %71, ptr %10, align 4
  store i32 0, ptr %11, align 4
  br label %72

72:
  %73 = load i32, ptr %11, align 4
  %74 = icmp slt i32 %73, 128
  br i1 %74, label %75, label %131

75:
  store i32 1, ptr %12, align 4
  %76 = load i32, ptr %11, align 4
  store i32 %76, ptr %13, align 4
  br label %77

77:
  %78 = load i32, ptr %13, align 4
  %79 = load i32, ptr %11, align 4
  %80 = load i32, ptr %9, align 4
  %81 = sdiv i32 %80, 2
  %82 = add nsw i32 %79, %81
  %83 = icmp slt i32 %78, %82
  br i1 %83, label %84, label %126

84:
  %85 = load ptr, ptr %3, align 8
  %86 = load i32, ptr %13, align 4
  %87 = load i32, ptr %9, align 4
  %88 = sdiv i32 %87, 2
  %89 = add nsw i32 %86, %88
  %90 = sext i32 %89 to i64
  %91 = getelementptr inbounds i32, ptr %85, i64 %90
  %92 = load i32, ptr %91, align 4
  %93 = load i32, ptr %12, align 4
  %94 = call i32 @multiply(i32 noundef %92, i32 noundef %93)
  store i32 %94, ptr %14, align 4
  %95 = load ptr, ptr %3, align 8
  %96 = load i32, ptr %13, align 4
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds i32, ptr %95, i64 %97
  %99 = load i32, ptr %98, align 4
  store i32 %99, ptr %15, align 4
  %100 = load i32, ptr %15, align 4
  %101 = load i32, ptr %14, align 4
  %102 = add i32 %100, %101
  %103 = urem i32 %102, 998244353
  %104 = load ptr, ptr %3, align 8
  %105 = load i32, ptr %13, align 4
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds i32, ptr %104, i64 %106
  store i32 %103, ptr %107, align 4
  %108 = load i32, ptr %15, align 4
  %109 = add i32 %108, 998244353
  %110 = load i32, ptr %14, align 4
  %111 = sub i32 %109, %110
  %112 = urem i32 %111, 998244353
  %113 = load ptr, ptr %3, align 8
  %114 = load i32, ptr %13, align 4
  %115 = load i32, ptr %9, align 4
  %116 = sdiv i32 %115, 2
  %117 = add nsw i32 %114, %116
  %118 = sext i32 %117 to i64
  %119 = getelementptr inbounds i32, ptr %113, i64 %118
  store i32 %112, ptr %119, align 4
  %120 = load i32, ptr %12, align 4
  %121 = load i32, ptr %10, align 4
  %122 = call i32 @multiply(i32 noundef %120, i32 noundef %121)
  store i32 %122, ptr %12, align 4
  br label %123

123:
  %124 = load i32, ptr %13, align 4
  %125 = add nsw i32 %124, 1
  store i32 %125, ptr %13, align 4
  br label %77, !llvm.loop !8

126:
  br label %127

127:
  %128 = load i32, ptr %9, align 4
  %129 = load i32, ptr %11, align 4
  %130 = add nsw i32 %129, %128
  store i32 %130, ptr %11, align 4
  br label %72, !llvm.loop !9

131:
  br label %132

132:
  %133 = load i32, ptr %9, align 4
  %134 = shl i32 %133, 1
  store i32 %134, ptr %9, align 4
  br label %64, !llvm.loop !10

135:
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
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 1, ptr %2, align 4
  %13 = call i32 @power(i32 noundef 3, i32 noundef 7798784)
  store i32 %13, ptr %3, align 4
  %14 = call i32 @power(i32 noundef 128, i32 noundef 998244351)
  store i32 %14, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %15

15:
  %16 = load i32, ptr %6, align 4
  %17 = icmp slt i32 %16, 64
  br i1 %17, label %18, label %38

18:
  %19 = load i32, ptr %2, align 4
  %20 = mul i32 %19, 1664525
  %21 = add i32 %20, 1013904223
  store i32 %21, ptr %2, align 4
  %22 = load i32, ptr %2, align 4
  %23 = lshr i32 %22, 2
  %24 = load i32, ptr %6, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [128 x i32], ptr @a, i64 0, i64 %25
  store i32 %23, ptr %26, align 4
  %27 = load i32, ptr %2, align 4
  %28 = mul i32 %27, 1664525
  %29 = add i32 %28, 1013904223
  store i32 %29, ptr %2, align 4
  %30 = load i32, ptr %2, align 4
  %31 = lshr i32 %30, 2
  %32 = load i32, ptr %6, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [128 x i32], ptr @b, i64 0, i64 %33
  store i32 %31, ptr %34, align 4
  br label %35

35:
  %36 = load i32, ptr %6, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %6, align 4
  br label %15, !llvm.loop !11

38:
  store i32 0, ptr %7, align 4
  br label %39

39:
  %40 = load i32, ptr %7, align 4
  %41 = icmp slt i32 %40, 64
  br i1 %41, label %42, label %78

42:
  store i32 0, ptr %8, align 4
  br label %43

43:
  %44 = load i32, ptr %8, align 4
  %45 = icmp slt i32 %44, 64
  br i1 %45, label %46, label %74

46:
  %47 = load i32, ptr %7, align 4
  %48 = load i32, ptr %8, align 4
  %49 = add nsw i32 %47, %48
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [128 x i32], ptr @product, i64 0, i64 %50
  %52 = load i32, ptr %51, align 4
  %53 = load i32, ptr %7, align 4
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [128 x i32], ptr @a, i64 0, i64 %54
  %56 = load i32, ptr %55, align 4
  %57 = urem i32 %56, 998244353
  %58 = load i32, ptr %8, align 4
  %59 = sext i32 %58 to i64
  %60 = getelementptr inbounds [128 x i32], ptr @b, i64 0, i64 %59
  %61 = load i32, ptr %60, align 4
  %62 = urem i32 %61, 998244353
  %63 = call i32 @multiply(i32 noundef %57, i32 noundef %62)
  %64 = add i32 %52, %63
  %65 = urem i32 %64, 998244353
  %66 = load i32, ptr %7, align 4
  %67 = load i32, ptr %8, align 4
  %68 = add nsw i32 %66, %67
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [128 x i32], ptr @product, i64 0, i64 %69
  store i32 %65, ptr %70, align 4
  br label %71

71:
  %72 = load i32, ptr %8, align 4
  %73 = add nsw i32 %72, 1
  store i32 %73, ptr %8, align 4
  br label %43, !llvm.loop !12

74:
  br label %75

75:
  %76 = load i32, ptr %7, align 4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %7, align 4
  br label %39, !llvm.loop !13

78:
  store i32 0, ptr %9, align 4
  br label %79

79:
  %80 = load i32, ptr %9, align 4
  %81 = icmp slt i32 %80, 128
  br i1 %81, label %82, label %96

82:
  %83 = load i32, ptr %9, align 4
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds [128 x i32], ptr @a, i64 0, i64 %84
  %86 = load i32, ptr %85, align 4
  %87 = urem i32 %86, 998244353
  store i32 %87, ptr %85, align 4
  %88 = load i32, ptr %9, align 4
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds [128 x i32], ptr @b, i64 0, i64 %89
  %91 = load i32, ptr %90, align 4
  %92 = urem i32 %91, 998244353
  store i32 %92, ptr %90, align 4
  br label %93

93:
  %94 = load i32, ptr %9, align 4
  %95 = add nsw i32 %94, 1
  store i32 %95, ptr %9, align 4
  br label %79, !llvm.loop !14

96:
  %97 = load i32, ptr %3, align 4
  call void @transform(ptr noundef @a, i32 noundef %97)
  %98 = load i32, ptr %3, align 4
  call void @transform(ptr noundef @b, i32 noundef %98)
  store i32 0, ptr %10, align 4
  br label %99

99:
  %100 = load i32, ptr %10, align 4
  %101 = icmp slt i32 %100, 128
  br i1 %101, label %102, label %118

102:
  %103 = load i32, ptr %10, align 4
  %104 = sext i32 %103 to i64
  %105 = getelementptr inbounds [128 x i32], ptr @a, i64 0, i64 %104
  %106 = load i32, ptr %105, align 4
  %107 = load i32, ptr %10, align 4
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds [128 x i32], ptr @b, i64 0, i64 %108
  %110 = load i32, ptr %109, align 4
  %111 = call i32 @multiply(i32 noundef %106, i32 noundef %110)
  %112 = load i32, ptr %10, align 4
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds [128 x i32], ptr @a, i64 0, i64 %113
  store i32 %111, ptr %114, align 4
  br label %115

115:
  %116 = load i32, ptr %10, align 4
  %117 = add nsw i32 %116, 1
  store i32 %117, ptr %10, align 4
  br label %99, !llvm.loop !15

118:
  %119 = load i32, ptr %3, align 4
  %120 = call i32 @power(i32 noundef %119, i32 noundef 998244351)
  call void @transform(ptr noundef @a, i32 noundef %120)
  store i32 0, ptr %11, align 4
  store i32 0, ptr %12, align 4
  br label %121

121:
  %122 = load i32, ptr %12, align 4
  %123 = icmp slt i32 %122, 128
  br i1 %123, label %124, label %156

124:
  %125 = load i32, ptr %12, align 4
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds [128 x i32], ptr @a, i64 0, i64 %126
  %128 = load i32, ptr %127, align 4
  %129 = load i32, ptr %4, align 4
  %130 = call i32 @multiply(i32 noundef %128, i32 noundef %129)
  %131 = load i32, ptr %12, align 4
  %132 = sext i32 %131 to i64
  %133 = getelementptr inbounds [128 x i32], ptr @a, i64 0, i64 %132
  store i32 %130, ptr %133, align 4
  %134 = load i32, ptr %12, align 4
  %135 = sext i32 %134 to i64
  %136 = getelementptr inbounds [128 x i32], ptr @a, i64 0, i64 %135
  %137 = load i32, ptr %136, align 4
  %138 = load i32, ptr %12, align 4
  %139 = sext i32 %138 to i64
  %140 = getelementptr inbounds [128 x i32], ptr @product, i64 0, i64 %139
  %141 = load i32, ptr %140, align 4
  %142 = icmp ne i32 %137, %141
  %143 = zext i1 %142 to i32
  %144 = load i32, ptr %11, align 4
  %145 = add nsw i32 %144, %143
  store i32 %145, ptr %11, align 4
  %146 = load i32, ptr %5, align 4
  %147 = mul i32 %146, 31
  %148 = load i32, ptr %12, align 4
  %149 = sext i32 %148 to i64
  %150 = getelementptr inbounds [128 x i32], ptr @a, i64 0, i64 %149
  %151 = load i32, ptr %150, align 4
  %152 = add i32 %147, %151
  store i32 %152, ptr %5, align 4
  br label %153

153:
  %154 = load i32, ptr %12, align 4
  %155 = add nsw i32 %154, 1
  store i32 %155, ptr %12, align 4
  br label %121, !llvm.loop !16

156:
  %157 = load i32, ptr @a, align 16
  %158 = load i32, ptr %5, align 4
  %159 = load i32, ptr %11, align 4
  %160 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %157, i32 noundef %158, i32 noundef %159)
  %161 = load i32, ptr %11, align 4
  %162 = icmp ne i32 %161, 0
  %163 = zext i1 %162 to i32
  ret i32 %163
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
