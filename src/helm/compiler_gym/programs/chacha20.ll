source_filename = "chacha20.c"

@main.text = internal global [200 x i8] zeroinitializer, align 16
@__const.main.nonce = private unnamed_addr constant [3 x i32] [i32 150994944, i32 1241513984, i32 0], align 4
@.str = private unnamed_addr constant [7 x i8] c"%08x%s\00", align 1
@.str.1 = private unnamed_addr constant [2 x i8] c"\0A\00", align 1
@.str.2 = private unnamed_addr constant [2 x i8] c" \00", align 1
@.str.3 = private unnamed_addr constant [9 x i8] c"%08x %d\0A\00", align 1

define dso_local void @quarter_round(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3, i32 noundef %4) #0 {
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %6, align 8
  store i32 %1, ptr %7, align 4
  store i32 %2, ptr %8, align 4
  store i32 %3, ptr %9, align 4
  store i32 %4, ptr %10, align 4
  %11 = load ptr, ptr %6, align 8
  %12 = load i32, ptr %8, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds i32, ptr %11, i64 %13
  %15 = load i32, ptr %14, align 4
  %16 = load ptr, ptr %6, align 8
  %17 = load i32, ptr %7, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds i32, ptr %16, i64 %18
  %20 = load i32, ptr %19, align 4
  %21 = add i32 %20, %15
  store i32 %21, ptr %19, align 4
  %22 = load ptr, ptr %6, align 8
  %23 = load i32, ptr %7, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  %26 = load i32, ptr %25, align 4
  %27 = load ptr, ptr %6, align 8
  %28 = load i32, ptr %10, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %27, i64 %29
  %31 = load i32, ptr %30, align 4
  %32 = xor i32 %31, %26
  store i32 %32, ptr %30, align 4
  %33 = load ptr, ptr %6, align 8
  %34 = load i32, ptr %10, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i32, ptr %33, i64 %35
  %37 = load i32, ptr %36, align 4
  %38 = shl i32 %37, 16
  %39 = load ptr, ptr %6, align 8
  %40 = load i32, ptr %10, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i32, ptr %39, i64 %41
  %43 = load i32, ptr %42, align 4
  %44 = lshr i32 %43, 16
  %45 = or i32 %38, %44
  %46 = load ptr, ptr %6, align 8
  %47 = load i32, ptr %10, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds i32, ptr %46, i64 %48
  store i32 %45, ptr %49, align 4
  %50 = load ptr, ptr %6, align 8
  %51 = load i32, ptr %10, align 4
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds i32, ptr %50, i64 %52
  %54 = load i32, ptr %53, align 4
  %55 = load ptr, ptr %6, align 8
  %56 = load i32, ptr %9, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds i32, ptr %55, i64 %57
  %59 = load i32, ptr %58, align 4
  %60 = add i32 %59, %54
  store i32 %60, ptr %58, align 4
  %61 = load ptr, ptr %6, align 8
  %62 = load i32, ptr %9, align 4
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds i32, ptr %61, i64 %63
  %65 = load i32, ptr %64, align 4
  %66 = load ptr, ptr %6, align 8
  %67 = load i32, ptr %8, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds i32, ptr %66, i64 %68
  %70 = load i32, ptr %69, align 4
  %71 = xor i32 %70, %65
  store i32 %71, ptr %69, align 4
  %72 = load ptr, ptr %6, align 8
  %73 = load i32, ptr %8, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds i32, ptr %72, i64 %74
  %76 = load i32, ptr %75, align 4
  %77 = shl i32 %76, 12
  %78 = load ptr, ptr %6, align 8
  %79 = load i32, ptr %8, align 4
  %80 = sext i32 %79 to i64
  %81 = getelementptr inbounds i32, ptr %78, i64 %80
  %82 = load i32, ptr %81, align 4
  %83 = lshr i32 %82, 20
  %84 = or i32 %77, %83
  %85 = load ptr, ptr %6, align 8
  %86 = load i32, ptr %8, align 4
  %87 = sext i32 %86 to i64
  %88 = getelementptr inbounds i32, ptr %85, i64 %87
  store i32 %84, ptr %88, align 4
  %89 = load ptr, ptr %6, align 8
  %90 = load i32, ptr %8, align 4
  %91 = sext i32 %90 to i64
  %92 = getelementptr inbounds i32, ptr %89, i64 %91
  %93 = load i32, ptr %92, align 4
  %94 = load ptr, ptr %6, align 8
  %95 = load i32, ptr %7, align 4
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds i32, ptr %94, i64 %96
  %98 = load i32, ptr %97, align 4
  %99 = add i32 %98, %93
  store i32 %99, ptr %97, align 4
  %100 = load ptr, ptr %6, align 8
  %101 = load i32, ptr %7, align 4
  %102 = sext i32 %101 to i64
  %103 = getelementptr inbounds i32, ptr %100, i64 %102
  %104 = load i32, ptr %103, align 4
  %105 = load ptr, ptr %6, align 8
  %106 = load i32, ptr %10, align 4
  %107 = sext i32 %106 to i64
  %108 = getelementptr inbounds i32, ptr %105, i64 %107
  %109 = load i32, ptr %108, align 4
  %110 = xor i32 %109, %104
  store i32 %110, ptr %108, align 4
  %111 = load ptr, ptr %6, align 8
  %112 = load i32, ptr %10, align 4
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds i32, ptr %111, i64 %113
  %115 = load i32, ptr %114, align 4
  %116 = shl i32 %115, 8
  %117 = load ptr, ptr %6, align 8
  %118 = load i32, ptr %10, align 4
  %119 = sext i32 %118 to i64
  %120 = getelementptr inbounds i32, ptr %117, i64 %119
  %121 = load i32, ptr %120, align 4
  %122 = lshr i32 %121, 24
  %123 = or i32 %116, %122
  %124 = load ptr, ptr %6, align 8
  %125 = load i32, ptr %10, align 4
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds i32, ptr %124, i64 %126
  store i32 %123, ptr %127, align 4
  %128 = load ptr, ptr %6, align 8
  %129 = load i32, ptr %10, align 4
  %130 = sext i32 %129 to i64
  %131 = getelementptr inbounds i32, ptr %128, i64 %130
  %132 = load i32, ptr %131, align 4
  %133 = load ptr, ptr %6, align 8
  %134 = load i32, ptr %9, align 4
  %135 = sext i32 %134 to i64
  %136 = getelementptr inbounds i32, ptr %133, i64 %135
  %137 = load i32, ptr %136, align 4
  %138 = add i32 %137, %132
  store i32 %138, ptr %136, align 4
  %139 = load ptr, ptr %6, align 8
  %140 = load i32, ptr %9, align 4
  %141 = sext i32 %140 to i64
  %142 = getelementptr inbounds i32, ptr %139, i64 %141
  %143 = load i32, ptr %142, align 4
  %144 = load ptr, ptr %6, align 8
  %145 = load i32, ptr %8, align 4
  %146 = sext i32 %145 to i64
  %147 = getelementptr inbounds i32, ptr %144, i64 %146
  %148 = load i32, ptr %147, align 4
  %149 = xor i32 %148, %143
  store i32 %149, ptr %147, align 4
  %150 = load ptr, ptr %6, align 8
  %151 = load i32, ptr %8, align 4
  %152 = sext i32 %151 to i64
  %153 = getelementptr inbounds i32, ptr %150, i64 %152
  %154 = load i32, ptr %153, align 4
  %155 = shl i32 %154, 7
  %156 = load ptr, ptr %6, align 8
  %157 = load i32, ptr %8, align 4
  %158 = sext i32 %157 to i64
  %159 = getelementptr inbounds i32, ptr %156, i64 %158
  %160 = load i32, ptr %159, align 4
  %161 = lshr i32 %160, 25
  %162 = or i32 %155, %161
  %163 = load ptr, ptr %6, align 8
  %164 = load i32, ptr %8, align 4
  %165 = sext i32 %164 to i64
  %166 = getelementptr inbounds i32, ptr %163, i64 %165
  store i32 %162, ptr %166, align 4
  ret void
}

define dso_local void @make_block(ptr noundef %0, i32 noundef %1, ptr noundef %2, ptr noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca [16 x i32], align 16
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  store ptr %0, ptr %5, align 8
  store i32 %1, ptr %6, align 4
  store ptr %2, ptr %7, align 8
  store ptr %3, ptr %8, align 8
  call void @llvm.memset.p0.i64(ptr align 16 %9, i8 0, i64 64, i1 false)
  %15 = getelementptr inbounds <{ i32, i32, i32, i32, [12 x i32] }>, ptr %9, i32 0, i32 0
  store i32 1634760805, ptr %15, align 16
  %16 = getelementptr inbounds <{ i32, i32, i32, i32, [12 x i32] }>, ptr %9, i32 0, i32 1
  store i32 857760878, ptr %16, align 4
  %17 = getelementptr inbounds <{ i32, i32, i32, i32, [12 x i32] }>, ptr %9, i32 0, i32 2
  store i32 2036477234, ptr %17, align 8
  %18 = getelementptr inbounds <{ i32, i32, i32, i32, [12 x i32] }>, ptr %9, i32 0, i32 3
  store i32 1797285236, ptr %18, align 4
  store i32 0, ptr %10, align 4
  br label %19

19:
  %20 = load i32, ptr %10, align 4
  %21 = icmp slt i32 %20, 8
  br i1 %21, label %22, label %35

22:
  %23 = load ptr, ptr %5, align 8
  %24 = load i32, ptr %10, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds i32, ptr %23, i64 %25
  %27 = load i32, ptr %26, align 4
  %28 = load i32, ptr %10, align 4
  %29 = add nsw i32 4, %28
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [16 x i32], ptr %9, i64 0, i64 %30
  store i32 %27, ptr %31, align 4
  br label %32

32:
  %33 = load i32, ptr %10, align 4
  %34 = add nsw i32 %33, 1
  store i32 %34, ptr %10, align 4
  br label %19, !llvm.loop !4

35:
  %36 = load i32, ptr %6, align 4
  %37 = getelementptr inbounds [16 x i32], ptr %9, i64 0, i64 12
  store i32 %36, ptr %37, align 16
  store i32 0, ptr %11, align 4
  br label %38

38:
  %39 = load i32, ptr %11, align 4
  %40 = icmp slt i32 %39, 3
  br i1 %40, label %41, label %54

41:
  %42 = load ptr, ptr %7, align 8
  %43 = load i32, ptr %11, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds i32, ptr %42, i64 %44
  %46 = load i32, ptr %45, align 4
  %47 = load i32, ptr %11, align 4
  %48 = add nsw i32 13, %47
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [16 x i32], ptr %9, i64 0, i64 %49
  store i32 %46, ptr %50, align 4
  br label %51

51:
  %52 = load i32, ptr %11, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %11, align 4
  br label %38, !llvm.loop !6

54:
  store i32 0, ptr %12, align 4
  br label %55

55:
  %56 = load i32, ptr %12, align 4
  %57 = icmp slt i32 %56, 16
  br i1 %57, label %58, label %70

58:
  %59 = load i32, ptr %12, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds [16 x i32], ptr %9, i64 0, i64 %60
  %62 = load i32, ptr %61, align 4
  %63 = load ptr, ptr %8, align 8
  %64 = load i32, ptr %12, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds i32, ptr %63, i64 %65
  store i32 %62, ptr %66, align 4
  br label %67

67:
  %68 = load i32, ptr %12, align 4
  %69 = add nsw i32 %68, 1
  store i32 %69, ptr %12, align 4
  br label %55, !llvm.loop !7

70:
  store i32 0, ptr %13, align 4
  br label %71

71:
  %72 = load i32, ptr %13, align 4
  %73 = icmp slt i32 %72, 10
  br i1 %73, label %74, label %86

74:
  %75 = load ptr, ptr %8, align 8
  call void @quarter_round(ptr noundef %75, i32 noundef 0, i32 noundef 4, i32 noundef 8, i32 noundef 12)
  %76 = load ptr, ptr %8, align 8
  call void @quarter_round(ptr noundef %76, i32 noundef 1, i32 noundef 5, i32 noundef 9, i32 noundef 13)
  %77 = load ptr, ptr %8, align 8
  call void @quarter_round(ptr noundef %77, i32 noundef 2, i32 noundef 6, i32 noundef 10, i32 noundef 14)
  %78 = load ptr, ptr %8, align 8
  call void @quarter_round(ptr noundef %78, i32 noundef 3, i32 noundef 7, i32 noundef 11, i32 noundef 15)
  %79 = load ptr, ptr %8, align 8
  call void @quarter_round(ptr noundef %79, i32 noundef 0, i32 noundef 5, i32 noundef 10, i32 noundef 15)
  %80 = load ptr, ptr %8, align 8
  call void @quarter_round(ptr noundef %80, i32 noundef 1, i32 noundef 6, i32 noundef 11, i32 noundef 12)
  %81 = load ptr, ptr %8, align 8
  call void @quarter_round(ptr noundef %81, i32 noundef 2, i32 noundef 7, i32 noundef 8, i32 noundef 13)
  %82 = load ptr, ptr %8, align 8
  call void @quarter_round(ptr noundef %82, i32 noundef 3, i32 noundef 4, i32 noundef 9, i32 noundef 14)
  br label %83

83:
  %84 = load i32, ptr %13, align 4
  %85 = add nsw i32 %84, 1
  store i32 %85, ptr %13, align 4
  br label %71, !llvm.loop !8

86:
  store i32 0, ptr %14, align 4
  br label %87

87:
  %88 = load i32, ptr %14, align 4
  %89 = icmp slt i32 %88, 16
  br i1 %89, label %90, label %104

90:
  %91 = load i32, ptr %14, align 4
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds [16 x i32], ptr %9, i64 0, i64 %92
  %94 = load i32, ptr %93, align 4
  %95 = load ptr, ptr %8, align 8
  %96 = load i32, ptr %14, align 4
  %97 = sext i32 %96 to i64
  %98 = getelementptr inbounds i32, ptr %95, i64 %97
  %99 = load i32, ptr %98, align 4
  %100 = add i32 %99, %94
  store i32 %100, ptr %98, align 4
  br label %101

101:
  %102 = load i32, ptr %14, align 4
  %103 = add nsw i32 %102, 1
  store i32 %103, ptr %14, align 4
  br label %87, !llvm.loop !9

104:
  ret void
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

define dso_local void @crypt(ptr noundef %0, i32 noundef %1, ptr noundef %2, ptr noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  %9 = alloca [16 x i32], align 16
  %10 = alloca i32, align 4
  store ptr %0, ptr %5, align 8
  store i32 %1, ptr %6, align 4
  store ptr %2, ptr %7, align 8
  store ptr %3, ptr %8, align 8
  store i32 0, ptr %10, align 4
  br label %11

11:
  %12 = load i32, ptr %10, align 4
  %13 = load i32, ptr %6, align 4
  %14 = icmp slt i32 %12, %13
  br i1 %14, label %15, label %50

15:
  %16 = load i32, ptr %10, align 4
  %17 = srem i32 %16, 64
  %18 = icmp eq i32 %17, 0
  br i1 %18, label %19, label %26

19:
  %20 = load ptr, ptr %7, align 8
  %21 = load i32, ptr %10, align 4
  %22 = udiv i32 %21, 64
  %23 = add i32 1, %22
  %24 = load ptr, ptr %8, align 8
  %25 = getelementptr inbounds [16 x i32], ptr %9, i64 0, i64 0
  call void @make_block(ptr noundef %20, i32 noundef %23, ptr noundef %24, ptr noundef %25)
  br label %26

26:
  %27 = load i32, ptr %10, align 4
  %28 = srem i32 %27, 64
  %29 = sdiv i32 %28, 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [16 x i32], ptr %9, i64 0, i64 %30
  %32 = load i32, ptr %31, align 4
  %33 = load i32, ptr %10, align 4
  %34 = srem i32 %33, 4
  %35 = mul nsw i32 %34, 8
  %36 = lshr i32 %32, %35
  %37 = trunc i32 %36 to i8
  %38 = zext i8 %37 to i32
  %39 = load ptr, ptr %5, align 8
  %40 = load i32, ptr %10, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i8, ptr %39, i64 %41
  %43 = load i8, ptr %42, align 1
  %44 = zext i8 %43 to i32
  %45 = xor i32 %44, %38
  %46 = trunc i32 %45 to i8
  store i8 %46, ptr %42, align 1
  br label %47

47:
  %48 = load i32, ptr %10, align 4
  %49 = add nsw i32 %48, 1
  store i32 %49, ptr %10, align 4
  br label %11, !llvm.loop !10

50:
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [8 x i32], align 16
  %3 = alloca [3 x i32], align 4
  %4 = alloca [16 x i32], align 16
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %3, ptr align 4 @__const.main.nonce, i64 12, i1 false)
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %12

12:
  %13 = load i32, ptr %6, align 4
  %14 = icmp ult i32 %13, 8
  br i1 %14, label %15, label %25

15:
  %16 = load i32, ptr %6, align 4
  %17 = mul i32 %16, 67372036
  %18 = add i32 50462976, %17
  %19 = load i32, ptr %6, align 4
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds nuw [8 x i32], ptr %2, i64 0, i64 %20
  store i32 %18, ptr %21, align 4
  br label %22

22:
  %23 = load i32, ptr %6, align 4
  %24 = add i32 %23, 1
  store i32 %24, ptr %6, align 4
  br label %12, !llvm.loop !11

25:
  %26 = getelementptr inbounds [8 x i32], ptr %2, i64 0, i64 0
  %27 = getelementptr inbounds [3 x i32], ptr %3, i64 0, i64 0
  %28 = getelementptr inbounds [16 x i32], ptr %4, i64 0, i64 0
  call void @make_block(ptr noundef %26, i32 noundef 1, ptr noundef %27, ptr noundef %28)
  store i32 0, ptr %7, align 4
  br label %29

29:
  %30 = load i32, ptr %7, align 4
  %31 = icmp slt i32 %30, 16
  br i1 %31, label %32, label %46

32:
  %33 = load i32, ptr %7, align 4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [16 x i32], ptr %4, i64 0, i64 %34
  %36 = load i32, ptr %35, align 4
  %37 = load i32, ptr %7, align 4
  %38 = srem i32 %37, 4
  %39 = icmp eq i32 %38, 3
  %40 = zext i1 %39 to i64
  %41 = select i1 %39, ptr @.str.1, ptr @.str.2
  %42 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %36, ptr noundef %41)
  br label %43

43:
  %44 = load i32, ptr %7, align 4
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %7, align 4
  br label %29, !llvm.loop !12

46:
  store i32 0, ptr %8, align 4
  br label %47

47:
  %48 = load i32, ptr %8, align 4
  %49 = icmp slt i32 %48, 200
  br i1 %49, label %50, label %60

50:
  %51 = load i32, ptr %8, align 4
  %52 = mul nsw i32 %51, 7
  %53 = trunc i32 %52 to i8
  %54 = load i32, ptr %8, align 4
  %55 = sext i32 %54 to i64
  %56 = getelementptr inbounds [200 x i8], ptr @main.text, i64 0, i64 %55
  store i8 %53, ptr %56, align 1
  br label %57

57:
  %58 = load i32, ptr %8, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %8, align 4
  br label %47, !llvm.loop !13

60:
  %61 = getelementptr inbounds [8 x i32], ptr %2, i64 0, i64 0
  %62 = getelementptr inbounds [3 x i32], ptr %3, i64 0, i64 0
  call void @crypt(ptr noundef @main.text, i32 noundef 200, ptr noundef %61, ptr noundef %62)
  store i32 0, ptr %9, align 4
  br label %63

63:
  %64 = load i32, ptr %9, align 4
  %65 = icmp slt i32 %64, 200
  br i1 %65, label %66, label %78

66:
  %67 = load i32, ptr %5, align 4
  %68 = mul i32 %67, 31
  %69 = load i32, ptr %9, align 4
  %70 = sext i32 %69 to i64
  %71 = getelementptr inbounds [200 x i8], ptr @main.text, i64 0, i64 %70
  %72 = load i8, ptr %71, align 1
  %73 = zext i8 %72 to i32
  %74 = add i32 %68, %73
  store i32 %74, ptr %5, align 4
  br label %75

75:
  %76 = load i32, ptr %9, align 4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %9, align 4
  br label %63, !llvm.loop !14

78:
  %79 = getelementptr inbounds [8 x i32], ptr %2, i64 0, i64 0
  %80 = getelementptr inbounds [3 x i32], ptr %3, i64 0, i64 0
  call void @crypt(ptr noundef @main.text, i32 noundef 200, ptr noundef %79, ptr noundef %80)
  %81 = getelementptr inbounds [16 x i32], ptr %4, i64 0, i64 0
  %82 = load i32, ptr %81, align 16
  %83 = icmp ne i32 %82, -454561520
  br i1 %83, label %88, label %84

84:
  %85 = getelementptr inbounds [16 x i32], ptr %4, i64 0, i64 15
  %86 = load i32, ptr %85, align 4
  %87 = icmp ne i32 %86, 1312575650
  br label %88

88:
  %89 = phi i1 [ true, %78 ], [ %87, %84 ]
  %90 = zext i1 %89 to i32
  store i32 %90, ptr %10, align 4
  store i32 0, ptr %11, align 4
  br label %91

91:
  %92 = load i32, ptr %11, align 4
  %93 = icmp slt i32 %92, 200
  br i1 %93, label %94, label %111

94:
  %95 = load i32, ptr %11, align 4
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds [200 x i8], ptr @main.text, i64 0, i64 %96
  %98 = load i8, ptr %97, align 1
  %99 = zext i8 %98 to i32
  %100 = load i32, ptr %11, align 4
  %101 = mul nsw i32 %100, 7
  %102 = trunc i32 %101 to i8
  %103 = zext i8 %102 to i32
  %104 = icmp ne i32 %99, %103
  %105 = zext i1 %104 to i32
  %106 = load i32, ptr %10, align 4
  %107 = add nsw i32 %106, %105
  store i32 %107, ptr %10, align 4
  br label %108

108:
  %109 = load i32, ptr %11, align 4
  %110 = add nsw i32 %109, 1
  store i32 %110, ptr %11, align 4
  br label %91, !llvm.loop !15

111:
  %112 = load i32, ptr %5, align 4
  %113 = load i32, ptr %10, align 4
  %114 = call i32 (ptr, ...) @printf(ptr noundef @.str.3, i32 noundef %112, i32 noundef %113)
  %115 = load i32, ptr %10, align 4
  %116 = icmp ne i32 %115, 0
  %117 = zext i1 %116 to i32
  ret i32 %117
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #2

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
