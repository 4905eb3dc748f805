source_filename = "md5.c"

@sines = internal constant [64 x i32] [i32 -680876936, i32 -389564586, i32 606105819, i32 -1044525330, i32 -176418897, i32 1200080426, i32 -1473231341, i32 -45705983, i32 1770035416, i32 -1958414417, i32 -42063, i32 -1990404162, i32 1804603682, i32 -40341101, i32 -1502002290, i32 1236535329, i32 -165796510, i32 -1069501632, i32 643717713, i32 -373897302, i32 -701558691, i32 38016083, i32 -660478335, i32 -405537848, i32 568446438, i32 -1019803690, i32 -187363961, i32 1163531501, i32 -1444681467, i32 -51403784, i32 1735328473, i32 -1926607734, i32 -378558, i32 -2022574463, i32 1839030562, i32 -35309556, i32 -1530992060, i32 1272893353, i32 -155497632, i32 -1094730640, i32 681279174, i32 -358537222, i32 -722521979, i32 76029189, i32 -640364487, i32 -421815835, i32 530742520, i32 -995338651, i32 -198630844, i32 1126891415, i32 -1416354905, i32 -57434055, i32 1700485571, i32 -1894986606, i32 -1051523, i32 -2054922799, i32 1873313359, i32 -30611744, i32 -1560198380, i32 1309151649, i32 -145523070, i32 -1120210379, i32 718787259, i32 -343485551], align 16
@shifts = internal constant [16 x i8] c"\07\0C\11\16\05\09\0E\14\04\0B\10\17\06\0A\0F\15", align 16
@.str = private unnamed_addr constant [5 x i8] c"%02x\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@main.message = internal global [300 x i8] zeroinitializer, align 16
@.str.2 = private unnamed_addr constant [11 x i8] c"abcdefghij\00", align 1

define dso_local void @digest_block(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [16 x i32], align 16
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
  store ptr %1, ptr %4, align 8
  %16 = load ptr, ptr %3, align 8
  %17 = getelementptr inbounds i32, ptr %16, i64 0
  %18 = load i32, ptr %17, align 4
  store i32 %18, ptr %6, align 4
  %19 = load ptr, ptr %3, align 8
  %20 = getelementptr inbounds i32, ptr %19, i64 1
  %21 = load i32, ptr %20, align 4
  store i32 %21, ptr %7, align 4
  %22 = load ptr, ptr %3, align 8
  %23 = getelementptr inbounds i32, ptr %22, i64 2
  %24 = load i32, ptr %23, align 4
  store i32 %24, ptr %8, align 4
  %25 = load ptr, ptr %3, align 8
  %26 = getelementptr inbounds i32, ptr %25, i64 3
  %27 = load i32, ptr %26, align 4
  store i32 %27, ptr %9, align 4
  store i32 0, ptr %10, align 4
  br label %28

28:
  %29 = load i32, ptr %10, align 4
  %30 = icmp slt i32 %29, 16
  br i1 %30, label %31, label %75

31:
  %32 = load ptr, ptr %4, align 8
  %33 = load i32, ptr %10, align 4
  %34 = mul nsw i32 4, %33
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i8, ptr %32, i64 %35
  %37 = load i8, ptr %36, align 1
  %38 = zext i8 %37 to i32
  %39 = load ptr, ptr %4, align 8
  %40 = load i32, ptr %10, align 4
  %41 = mul nsw i32 4, %40
  %42 = add nsw i32 %41, 1
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds i8, ptr %39, i64 %43
  %45 = load i8, ptr %44, align 1
  %46 = zext i8 %45 to i32
  %47 = shl i32 %46, 8
  %48 = or i32 %38, %47
  %49 = load ptr, ptr %4, align 8
  %50 = load i32, ptr %10, align 4
  %51 = mul nsw i32 4, %50
  %52 = add nsw i32 %51, 2
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds i8, ptr %49, i64 %53
  %55 = load i8, ptr %54, align 1
  %56 = zext i8 %55 to i32
  %57 = shl i32 %56, 16
  %58 = or i32 %48, %57
  %59 = load ptr, ptr %4, align 8
  %60 = load i32, ptr %10, align 4
  %61 = mul nsw i32 4, %60
  %62 = add nsw i32 %61, 3
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds i8, ptr %59, i64 %63
  %65 = load i8, ptr %64, align 1
  %66 = zext i8 %65 to i32
  %67 = shl i32 %66, 24
  %68 = or i32 %58, %67
  %69 = load i32, ptr %10, align 4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [16 x i32], ptr %5, i64 0, i64 %70
  store i32 %68, ptr %71, align 4
  br label %72

72:
  %73 = load i32, ptr %10, align 4
  %74 = add nsw i32 %73, 1
  store i32 %74, ptr %10, align 4
  br label %28, !llvm.loop !4

75:
  store i32 0, ptr %11, align 4
  br label %76

76:
  %77 = load i32, ptr %11, align 4
  %78 = icmp slt i32 %77, 64
  br i1 %78, label %79, label %165

79:
  %80 = load i32, ptr %11, align 4
  %81 = sdiv i32 %80, 16
  switch i32 %81, label %115 [
    i32 0, label %82
    i32 1, label %92
    i32 2, label %105
  ]

82:
  %83 = load i32, ptr %7, align 4
  %84 = load i32, ptr %8, align 4
  %85 = and i32 %83, %84
  %86 = load i32, ptr %7, align 4
  %87 = xor i32 %86, -1
  %88 = load i32, ptr %9, align 4
  %89 = and i32 %87, %88
  %90 = or i32 %85, %89
  store i32 %90, ptr %12, align 4
  %91 = load i32, ptr %11, align 4
  store i32 %91, ptr %13, align 4
  br label %125

92:
  %93 = load i32, ptr %9, align 4
  %94 = load i32, ptr %7, align 4
  %95 = and i32 %93, %94
  %96 = load i32, ptr %9, align 4
  %97 = xor i32 %96, -1
  %98 = load i32, ptr %8, align 4
  %99 = and i32 %97, %98
  %100 = or i32 %95, %99
  store i32 %100, ptr %12, align 4
  %101 = load i32, ptr %11, align 4
  %102 = mul nsw i32 5, %101
  %103 = add nsw i32 %102, 1
  %104 = srem i32 %103, 16
  store i32 %104, ptr %13, align 4
  br label %125

105:
  %106 = load i32, ptr %7, align 4
  %107 = load i32, ptr %8, align 4
  %108 = xor i32 %106, %107
  %109 = load i32, ptr %9, align 4
  %110 = xor i32 %108, %109
  store i32 %110, ptr %12, align 4
  %111 = load i32, ptr %11, align 4
  %112 = mul nsw i32 3, %111
  %113 = add nsw i32 %112, 5
  %114 = srem i32 %113, 16
  store i32 %114, ptr %13, align 4
  br label %125

115:
  %116 = load i32, ptr %8, align 4
  %117 = load i32, ptr %7, align 4
  %118 = load i32, ptr %9, align 4
  %119 = xor i32 %118, -1
  %120 = or i32 %117, %119
  %121 = xor i32 %116, %120
  store i32 %121, ptr %12, align 4
  %122 = load i32, ptr %11, align 4
  %123 = mul nsw i32 7, %122
  %124 = srem i32 %123, 16
  store i32 %124, ptr %13, align 4
  br label %125

125:
  %126 = load i32, ptr %6, align 4
  %127 = load i32, ptr %12, align 4
  %128 = add i32 %126, %127
  %129 = load i32, ptr %11, align 4
  %130 = sext i32 %129 to i64
  %131 = getelementptr inbounds [64 x i32], ptr @sines, i64 0, i64 %130
  %132 = load i32, ptr %131, align 4
  %133 = add i32 %128, %132
  %134 = load i32, ptr %13, align 4
  %135 = sext i32 %134 to i64
  %136 = getelementptr inbounds [16 x i32], ptr %5, i64 0, i64 %135
  %137 = load i32, ptr %136, align 4
  %138 = add i32 %133, %137
  store i32 %138, ptr %14, align 4
  %139 = load i32, ptr %11, align 4
  %140 = sdiv i32 %139, 16
  %141 = mul nsw i32 %140, 4
  %142 = load i32, ptr %11, align 4
  %143 = srem i32 %142, 4
  %144 = add nsw i32 %141, %143
  %145 = sext i32 %144 to i64
  %146 = getelementptr inbounds [16 x i8], ptr @shifts, i64 0, i64 %145
  %147 = load i8, ptr %146, align 1
  %148 = zext i8 %147 to i32
  store i32 %148, ptr %15, align 4
  %149 = load i32, ptr %9, align 4
  store i32 %149, ptr %6, align 4
  %150 = load i32, ptr %8, align 4
  store i32 %150, ptr %9, align 4
  %151 = load i32, ptr %7, align 4
  store i32 %151, ptr %8, align 4
  %152 = load i32, ptr %14, align 4
  %153 = load i32, ptr %15, align 4
  %154 = shl i32 %152, %153
  %155 = load i32, ptr %14, align 4
  %156 = load i32, ptr %15, align 4
  %157 = sub nsw i32 32, %156
  %158 = lshr i32 %155, %157
  %159 = or i32 %154, %158
  %160 = load i32, ptr %7, align 4
  %161 = add i32 %160, %159
  store i32 %161, ptr %7, align 4
  br label %162

162:
  %163 = load i32, ptr %11, align 4
  %164 = add nsw i32 %163, 1
  store i32 %164, ptr %11, align 4
  br label %76, !llvm.loop !6

165:
  %166 = load i32, ptr %6, align 4
  %167 = load ptr, ptr %3, align 8
  %168 = getelementptr inbounds i32, ptr %167, i64 0
  %169 = load i32, ptr %168, align 4
  %170 = add i32 %169, %166
  store i32 %170, ptr %168, align 4
  %171 = load i32, ptr %7, align 4
  %172 = load ptr, ptr %3, align 8
  %173 = getelementptr inbounds i32, ptr %172, i64 1
  %174 = load i32, ptr %173, align 4
  %175 = add i32 %174, %171
  store i32 %175, ptr %173, align 4
  %176 = load i32, ptr %8, align 4
  %177 = load ptr, ptr %3, align 8
  %178 = getelementptr inbounds i32, ptr %177, i64 2
  %179 = load i32, ptr %178, align 4
  %180 = add i32 %179, %176
  store i32 %180, ptr %178, align 4
  %181 = load i32, ptr %9, align 4
  %182 = load ptr, ptr %3, align 8
  %183 = getelementptr inbounds i32, ptr %182, i64 3
  %184 = load i32, ptr %183, align 4
  %185 = add i32 %184, %181
  store i32 %185, ptr %183, align 4
  ret void
}

define dso_local void @md5(ptr noundef %0, i32 noundef %1, ptr noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca [64 x i8], align 16
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  store ptr %0, ptr %4, align 8
  store i32 %1, ptr %5, align 4
  store ptr %2, ptr %6, align 8
  %13 = load ptr, ptr %6, align 8
  %14 = getelementptr inbounds i32, ptr %13, i64 0
  store i32 1732584193, ptr %14, align 4
  %15 = load ptr, ptr %6, align 8
  %16 = getelementptr inbounds i32, ptr %15, i64 1
  store i32 -271733879, ptr %16, align 4
  %17 = load ptr, ptr %6, align 8
  %18 = getelementptr inbounds i32, ptr %17, i64 2
  store i32 -1732584194, ptr %18, align 4
  %19 = load ptr, ptr %6, align 8
  %20 = getelementptr inbounds i32, ptr %19, i64 3
  store i32 271733878, ptr %20, align 4
  %21 = load i32, ptr %5, align 4
  %22 = add nsw i32 %21, 8
  %23 = sdiv i32 %22, 64
  %24 = mul nsw i32 %23, 64
  %25 = add nsw i32 %24, 64
  store i32 %25, ptr %8, align 4
  store i32 0, ptr %9, align 4
  br label %26

26:
  %27 = load i32, ptr %9, align 4
  %28 = load i32, ptr %8, align 4
  %29 = icmp slt i32 %27, %28
  br i1 %29, label %30, label %94

30:
  store i32 0, ptr %10, align 4
  br label %31

31:
  %32 = load i32, ptr %10, align 4
  %33 = icmp slt i32 %32, 64
  br i1 %33, label %34, label %88

34:
  %35 = load i32, ptr %9, align 4
  %36 = load i32, ptr %10, align 4
  %37 = add nsw i32 %35, %36
  store i32 %37, ptr %11, align 4
  %38 = load i32, ptr %11, align 4
  %39 = load i32, ptr %8, align 4
  %40 = sub nsw i32 %39, 8
  %41 = sub nsw i32 %38, %40
  store i32 %41, ptr %12, align 4
  %42 = load i32, ptr %11, align 4
  %43 = load i32, ptr %5, align 4
  %44 = icmp slt i32 %42, %43
  br i1 %44, label %45, label %54

45:
  %46 = load ptr, ptr %4, align 8
  %47 = load i32, ptr %11, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i8, ptr %46, i64 %48
  %50 = load i8, ptr %49, align 1
  %51 = load i32, ptr %10, align 4
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds [64 x i8], ptr %7, i64 0, i64 %52
  store i8 %50, ptr %53, align 1
  br label %84

54:
  %55 = load i32, ptr %11, align 4
  %56 = load i32, ptr %5, align 4
  %57 = icmp eq i32 %55, %56
  br i1 %57, label %58, label %62

58:
  %59 = load i32, ptr %10, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds [64 x i8], ptr %7, i64 0, i64 %60
  store i8 -128, ptr %61, align 1
  br label %83

62:
  %63 = load i32, ptr %12, align 4
  %64 = icmp sge i32 %63, 0
  br i1 %64, label %65, label %76

65:
  %66 = load i32, ptr %12, align 4
  %67 = icmp slt i32 %66, 4
  br i1 %67, label %68, label %76

68:
  %69 = load i32, ptr %5, align 4
  %70 = mul i32 %69, 8
  %71 = load i32, ptr %12, align 4
  %72 = mul nsw i32 8, %71
  %73 = lshr i32 %70, %72
  %74 = trunc i32 %73 to i8
  %75 = zext i8 %74 to i32
  br label %77

76:
  br label %77

77:
  %78 = phi i32 [ %75, %68 ], [ 0, %76 ]
  %79 = trunc i32 %78 to i8
  %80 = load i32, ptr %10, align 4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [64 x i8], ptr %7, i64 0, i64 %81
  store i8 %79, ptr %82, align 1
  br label %83

83:
  br label %84

84:
  br label %85

85:
  %86 = load i32, ptr %10, align 4
  %87 = add nsw i32 %86, 1
  store i32 %87, ptr %10, align 4
  br label %31, !llvm.loop !7

88:
  %89 = load ptr, ptr %6, align 8
  %90 = getelementptr inbounds [64 x i8], ptr %7, i64 0, i64 0
  call void @digest_block(ptr noundef %89, ptr noundef %90)
  br label %91

91:
  %92 = load i32, ptr %9, align 4
  %93 = add nsw i32 %92, 64
  store i32 %93, ptr %9, align 4
  br label %26, !llvm.loop !8

94:
  ret void
}

define dso_local void @print_digest(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load i32, ptr %3, align 4
  %6 = icmp slt i32 %5, 16
  br i1 %6, label %7, label %23

7:
  %8 = load ptr, ptr %2, align 8
  %9 = load i32, ptr %3, align 4
  %10 = sdiv i32 %9, 4
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds i32, ptr %8, i64 %11
  %13 = load i32, ptr %12, align 4
  %14 = load i32, ptr %3, align 4
  %15 = srem i32 %14, 4
  %16 = mul nsw i32 %15, 8
  %17 = lshr i32 %13, %16
  %18 = and i32 %17, 255
  %19 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %18)
  br label %20

20:
  %21 = load i32, ptr %3, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr %3, align 4
  br label %4, !llvm.loop !9

23:
  %24 = call i32 (ptr, ...) @printf(ptr noundef @.str.1)
  ret void
}

declare dso_local i32 @printf(ptr noundef, ...) #1

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [4 x i32], align 16
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  %6 = getelementptr inbounds [4 x i32], ptr %2, i64 0, i64 0
  call void @md5(ptr noundef @main.message, i32 noundef 0, ptr noundef %6)
  %7 = getelementptr inbounds [4 x i32], ptr %2, i64 0, i64 0
  call void @print_digest(ptr noundef %7)
  %8 = getelementptr inbounds [4 x i32], ptr %2, i64 0, i64 0
  %9 = load i32, ptr %8, align 16
  %10 = icmp ne i32 %9, -645128748
  %11 = zext i1 %10 to i32
  store i32 %11, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %12

12:
  %13 = load i32, ptr %4, align 4
  %14 = icmp slt i32 %13, 300
  br i1 %14, label %15, label %27

15:
  %16 = load i32, ptr %4, align 4
  %17 = srem i32 %16, 10
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [11 x i8], ptr @.str.2, i64 0, i64 %18
  %20 = load i8, ptr %19, align 1
  %21 = load i32, ptr %4, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [300 x i8], ptr @main.message, i64 0, i64 %22
  store i8 %20, ptr %23, align 1
  br label %24

24:
  %25 = load i32, ptr %4, align 4
  %26 = add nsw i32 %25, 1
  store i32 %26, ptr %4, align 4
  br label %12, !llvm.loop !10

27:
  store i32 50, ptr %5, align 4
  br label %28

28:
  %29 = load i32, ptr %5, align 4
  %30 = icmp sle i32 %29, 300
  br i1 %30, label %31, label %38

31:
  %32 = load i32, ptr %5, align 4
  %33 = getelementptr inbounds [4 x i32], ptr %2, i64 0, i64 0
  call void @md5(ptr noundef @main.message, i32 noundef %32, ptr noundef %33)
  %34 = getelementptr inbounds [4 x i32], ptr %2, i64 0, i64 0
  call void @print_digest(ptr noundef %34)
  br label %35

35:
  %36 = load i32, ptr %5, align 4
  %37 = add nsw i32 %36, 50
  store i32 %37, ptr %5, align 4
  br label %28, !llvm.loop !11

38:
  %39 = load i32, ptr %3, align 4
  ret i32 %39
}

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
