source_filename = "xtea.c"

@__const.main.key = private unnamed_addr constant [4 x i32] [i32 66051, i32 67438087, i32 134810123, i32 202182159], align 16
@__const.main.v = private unnamed_addr constant [2 x i32] [i32 1094861636, i32 1162233672], align 4
@.str = private unnamed_addr constant [11 x i8] c"%08x %08x\0A\00", align 1
@__const.main.text = private unnamed_addr constant [10 x i8] c"Plaintext\00", align 1
@.str.1 = private unnamed_addr constant [4 x i8] c"Key\00", align 1
@.str.2 = private unnamed_addr constant [5 x i8] c"%02X\00", align 1
@.str.3 = private unnamed_addr constant [8 x i8] c" %s %d\0A\00", align 1

define dso_local void @xtea_encrypt(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %7

7:
  %8 = load i32, ptr %6, align 4
  %9 = icmp slt i32 %8, 32
  br i1 %9, label %10, label %69

10:
  %11 = load ptr, ptr %3, align 8
  %12 = getelementptr inbounds i32, ptr %11, i64 1
  %13 = load i32, ptr %12, align 4
  %14 = shl i32 %13, 4
  %15 = load ptr, ptr %3, align 8
  %16 = getelementptr inbounds i32, ptr %15, i64 1
  %17 = load i32, ptr %16, align 4
  %18 = lshr i32 %17, 5
  %19 = xor i32 %14, %18
  %20 = load ptr, ptr %3, align 8
  %21 = getelementptr inbounds i32, ptr %20, i64 1
  %22 = load i32, ptr %21, align 4
  %23 = add i32 %19, %22
  %24 = load i32, ptr %5, align 4
  %25 = load ptr, ptr %4, align 8
  %26 = load i32, ptr %5, align 4
  %27 = and i32 %26, 3
  %28 = zext i32 %27 to i64
  %29 = getelementptr inbounds nuw i32, ptr %25, i64 %28
  %30 = load i32, ptr %29, align 4
  %31 = add i32 %24, %30
  %32 = xor i32 %23, %31
  %33 = load ptr, ptr %3, align 8
  %34 = getelementptr inbounds i32, ptr %33, i64 0
  %35 = load i32, ptr %34, align 4
  %36 = add i32 %35, %32
  store i32 %36, ptr %34, align 4
  %37 = load i32, ptr %5, align 4
  %38 = add i32 %37, -1640531527
  store i32 %38, ptr %5, align 4
  %39 = load ptr, ptr %3, align 8
  %40 = getelementptr inbounds i32, ptr %39, i64 0
  %41 = load i32, ptr %40, align 4
  %42 = shl i32 %41, 4
  %43 = load ptr, ptr %3, align 8
  %44 = getelementptr inbounds i32, ptr %43, i64 0
  %45 = load i32, ptr %44, align 4
  %46 = lshr i32 %45, 5
  %47 = xor i32 %42, %46
  %48 = load ptr, ptr %3, align 8
  %49 = getelementptr inbounds i32, ptr %48, i64 0
  %50 = load i32, ptr %49, align 4
  %51 = add i32 %47, %50
  %52 = load i32, ptr %5, align 4
  %53 = load ptr, ptr %4, align 8
  %54 = load i32, ptr %5, align 4
  %55 = lshr i32 %54, 11
  %56 = and i32 %55, 3
  %57 = zext i32 %56 to i64
  %58 = getelementptr inbounds nuw i32, ptr %53, i64 %57
  %59 = load i32, ptr %58, align 4
  %60 = add i32 %52, %59
  %61 = xor i32 %51, %60
  %62 = load ptr, ptr %3, align 8
  %63 = getelementptr inbounds i32, ptr %62, i64 1
  %64 = load i32, ptr %63, align 4
  %65 = add i32 %64, %61
  store i32 %65, ptr %63, align 4
  br label %66

66:
  %67 = load i32, ptr %6, align 4
  %68 = add nsw i32 %67, 1
  store i32 %68, ptr %6, align 4
  br label %7, !llvm.loop !4

69:
  ret void
}

define dso_local void @xtea_decrypt(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  store i32 -957401312, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %7

7:
  %8 = load i32, ptr %6, align 4
  %9 = icmp slt i32 %8, 32
  br i1 %9, label %10, label %69

10:
  %11 = load ptr, ptr %3, align 8
  %12 = getelementptr inbounds i32, ptr %11, i64 0
  %13 = load i32, ptr %12, align 4
  %14 = shl i32 %13, 4
  %15 = load ptr, ptr %3, align 8
  %16 = getelementptr inbounds i32, ptr %15, i64 0
  %17 = load i32, ptr %16, align 4
  %18 = lshr i32 %17, 5
  %19 = xor i32 %14, %18
  %20 = load ptr, ptr %3, align 8
  %21 = getelementptr inbounds i32, ptr %20, i64 0
  %22 = load i32, ptr %21, align 4
  %23 = add i32 %19, %22
  %24 = load i32, ptr %5, align 4
  %25 = load ptr, ptr %4, align 8
  %26 = load i32, ptr %5, align 4
  %27 = lshr i32 %26, 11
  %28 = and i32 %27, 3
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds nuw i32, ptr %25, i64 %29
  %31 = load i32, ptr %30, align 4
  %32 = add i32 %24, %31
  %33 = xor i32 %23, %32
  %34 = load ptr, ptr %3, align 8
  %35 = getelementptr inbounds i32, ptr %34, i64 1
  %36 = load i32, ptr %35, align 4
  %37 = sub i32 %36, %33
  store i32 %37, ptr %35, align 4
  %38 = load i32, ptr %5, align 4
  %39 = sub i32 %38, -1640531527
  store i32 %39, ptr %5, align 4
  %40 = load ptr, ptr %3, align 8
  %41 = getelementptr inbounds i32, ptr %40, i64 1
  %42 = load i32, ptr %41, align 4
  %43 = shl i32 %42, 4
  %44 = load ptr, ptr %3, align 8
  %45 = getelementptr inbounds i32, ptr %44, i64 1
  %46 = load i32, ptr %45, align 4
  %47 = lshr i32 %46, 5
  %48 = xor i32 %43, %47
  %49 = load ptr, ptr %3, align 8
  %50 = getelementptr inbounds i32, ptr %49, i64 1
  %51 = load i32, ptr %50, align 4
  %52 = add i32 %48, %51
  %53 = load i32, ptr %5, align 4
  %54 = load ptr, ptr %4, align 8
  %55 = load i32, ptr %5, align 4
  %56 = and i32 %55, 3
  %57 = zext i32 %56 to i64
  %58 = getelementptr inbounds nuw i32, ptr %54, i64 %57
  %59 = load i32, ptr %58, align 4
  %60 = add i32 %53, %59
  %61 = xor i32 %52, %60
  %62 = load ptr, ptr %3, align 8
  %63 = getelementptr inbounds i32, ptr %62, i64 0
  %64 = load i32, ptr %63, align 4
  %65 = sub i32 %64, %61
  store i32 %65, ptr %63, align 4
  br label %66

66:
  %67 = load i32, ptr %6, align 4
  %68 = add nsw i32 %67, 1
  store i32 %68, ptr %6, align 4
  br label %7, !llvm.loop !6

69:
  ret void
}

define dso_local void @rc4(ptr noundef %0, i32 noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca [256 x i8], align 16
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i8, align 1
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i8, align 1
  store ptr %0, ptr %5, align 8
  store i32 %1, ptr %6, align 4
  store ptr %2, ptr %7, align 8
  store i32 %3, ptr %8, align 4
  store i32 0, ptr %10, align 4
  br label %18

18:
  %19 = load i32, ptr %10, align 4
  %20 = icmp slt i32 %19, 256
  br i1 %20, label %21, label %30

21:
  %22 = load i32, ptr %10, align 4
  %23 = trunc i32 %22 to i8
  %24 = load i32, ptr %10, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %25
  store i8 %23, ptr %26, align 1
  br label %27

27:
  %28 = load i32, ptr %10, align 4
  %29 = add nsw i32 %28, 1
  store i32 %29, ptr %10, align 4
  br label %18, !llvm.loop !7

30:
  store i32 0, ptr %11, align 4
  store i32 0, ptr %12, align 4
  br label %31

31:
  %32 = load i32, ptr %11, align 4
  %33 = icmp slt i32 %32, 256
  br i1 %33, label %34, label %70

34:
  %35 = load i32, ptr %12, align 4
  %36 = load i32, ptr %11, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %37
  %39 = load i8, ptr %38, align 1
  %40 = zext i8 %39 to i32
  %41 = add nsw i32 %35, %40
  %42 = load ptr, ptr %5, align 8
  %43 = load i32, ptr %11, align 4
  %44 = load i32, ptr %6, align 4
  %45 = srem i32 %43, %44
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds i8, ptr %42, i64 %46
  %48 = load i8, ptr %47, align 1
  %49 = zext i8 %48 to i32
  %50 = add nsw i32 %41, %49
  %51 = and i32 %50, 255
  store i32 %51, ptr %12, align 4
  %52 = load i32, ptr %11, align 4
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %53
  %55 = load i8, ptr %54, align 1
  store i8 %55, ptr %13, align 1
  %56 = load i32, ptr %12, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %57
  %59 = load i8, ptr %58, align 1
  %60 = load i32, ptr %11, align 4
  %61 = sext i32 %60 to i64
  %62 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %61
  store i8 %59, ptr %62, align 1
  %63 = load i8, ptr %13, align 1
  %64 = load i32, ptr %12, align 4
  %65 = sext i32 %64 to i64
  %66 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %65
  store i8 %63, ptr %66, align 1
  br label %67

67:
  %68 = load i32, ptr %11, align 4
  %69 = add nsw i32 %68, 1
  store i32 %69, ptr %11, align 4
  br label %31, !llvm.loop !8

70:
  store i32 0, ptr %14, align 4
  store i32 0, ptr %15, align 4
  store i32 0, ptr %16, align 4
  br label %71

71:
  %72 = load i32, ptr %14, align 4
  %73 = load i32, ptr %8, align 4
  %74 = icmp slt i32 %72, %73
  br i1 %74, label %75, label %129

75:
  %76 = load i32, ptr %15, align 4
  %77 = add nsw i32 %76, 1
  %78 = and i32 %77, 255
  store i32 %78, ptr %15, align 4
  %79 = load i32, ptr %16, align 4
  %80 = load i32, ptr %15, align 4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %81
  %83 = load i8, ptr %82, align 1
  %84 = zext i8 %83 to i32
  %85 = add nsw i32 %79, %84
  %86 = and i32 %85, 255
  store i32 %86, ptr %16, align 4
  %87 = load i32, ptr %15, align 4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %88
  %90 = load i8, ptr %89, align 1
  store i8 %90, ptr %17, align 1
  %91 = load i32, ptr %16, align 4
  %92 = sext i32 %91 to i64
  %93 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %92
  %94 = load i8, ptr %93, align 1
  %95 = load i32, ptr %15, align 4
  %96 = sext i32 %95 to i64
  %97 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %96
  store i8 %94, ptr %97, align 1
  %98 = load i8, ptr %17, align 1
  %99 = load i32, ptr %16, align 4
  %100 = sext i32 %99 to i64
  %101 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %100
  store i8 %98, ptr %101, align 1
  %102 = load i32, ptr %15, align 4
  %103 = sext i32 %102 to i64
  %104 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %103
  %105 = load i8, ptr %104, align 1
  %106 = zext i8 %105 to i32
  %107 = load i32, ptr %16, align 4
  %108 = sext i32 %107 to i64
  %109 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %108
  %110 = load i8, ptr %109, align 1
  %111 = zext i8 %110 to i32
  %112 = add nsw i32 %106, %111
  %113 = and i32 %112, 255
  %114 = sext i32 %113 to i64
  %115 = getelementptr inbounds [256 x i8], ptr %9, i64 0, i64 %114
  %116 = load i8, ptr %115, align 1
  %117 = zext i8 %116 to i32
  %118 = load ptr, ptr %7, align 8
  %119 = load i32, ptr %14, align 4
  %120 = sext i32 %119 to i64
  %121 = getelementptr inbounds i8, ptr %118, i64 %120
  %122 = load i8, ptr %121, align 1
  %123 = zext i8 %122 to i32
  %124 = xor i32 %123, %117
  %125 = trunc i32 %124 to i8
  store i8 %125, ptr %121, align 1
  br label %126

126:
  %127 = load i32, ptr %14, align 4
  %128 = add nsw i32 %127, 1
  store i32 %128, ptr %14, align 4
  br label %71, !llvm.loop !9

129:
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [4 x i32], align 16
  %3 = alloca [2 x i32], align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca [10 x i8], align 1
  %8 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %2, ptr align 16 @__const.main.key, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %3, ptr align 4 @__const.main.v, i64 8, i1 false)
  %9 = getelementptr inbounds [2 x i32], ptr %3, i64 0, i64 0
  %10 = getelementptr inbounds [4 x i32], ptr %2, i64 0, i64 0
  call void @xtea_encrypt(ptr noundef %9, ptr noundef %10)
  %11 = getelementptr inbounds [2 x i32], ptr %3, i64 0, i64 0
  %12 = load i32, ptr %11, align 4
  %13 = icmp ne i32 %12, 1232991184
  br i1 %13, label %18, label %14

14:
  %15 = getelementptr inbounds [2 x i32], ptr %3, i64 0, i64 1
  %16 = load i32, ptr %15, align 4
  %17 = icmp ne i32 %16, 1918971061
  br label %18

18:
  %19 = phi i1 [ true, %0 ], [ %17, %14 ]
  %20 = zext i1 %19 to i32
  store i32 %20, ptr %4, align 4
  %21 = getelementptr inbounds [2 x i32], ptr %3, i64 0, i64 0
  %22 = load i32, ptr %21, align 4
  %23 = getelementptr inbounds [2 x i32], ptr %3, i64 0, i64 1
  %24 = load i32, ptr %23, align 4
  %25 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %22, i32 noundef %24)
  store i32 0, ptr %5, align 4
  br label %26

26:
  %27 = load i32, ptr %5, align 4
  %28 = icmp slt i32 %27, 20
  br i1 %28, label %29, label %35

29:
  %30 = getelementptr inbounds [2 x i32], ptr %3, i64 0, i64 0
  %31 = getelementptr inbounds [4 x i32], ptr %2, i64 0, i64 0
  call void @xtea_encrypt(ptr noundef %30, ptr noundef %31)
  br label %32

32:
  %33 = load i32, ptr %5, align 4
  %34 = add nsw i32 %33, 1
  store i32 %34, ptr %5, align 4
  br label %26, !llvm.loop !10

35:
  store i32 0, ptr %6, align 4
  br label %36

36:
  %37 = load i32, ptr %6, align 4
  %38 = icmp slt i32 %37, 21
  br i1 %38, label %39, label %45

39:
  %40 = getelementptr inbounds [2 x i32], ptr %3, i64 0, i64 0
  %41 = getelementptr inbounds [4 x i32], ptr %2, i64 0, i64 0
  call void @xtea_decrypt(ptr noundef %40, ptr noundef %41)
  br label %42

42:
  %43 = load i32, ptr %6, align 4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %6, align 4
  br label %36, !llvm.loop !11

45:
  %46 = getelementptr inbounds [2 x i32], ptr %3, i64 0, i64 0
  %47 = load i32, ptr %46, align 4
  %48 = icmp ne i32 %47, 1094861636
  br i1 %48, label %53, label %49

49:
  %50 = getelementptr inbounds [2 x i32], ptr %3, i64 0, i64 1
  %51 = load i32, ptr %50, align 4
  %52 = icmp ne i32 %51, 1162233672
  br label %53

53:
  %54 = phi i1 [ true, %45 ], [ %52, %49 ]
  %55 = zext i1 %54 to i32
  %56 = load i32, ptr %4, align 4
  %57 = add nsw i32 %56, %55
  store i32 %57, ptr %4, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %7, ptr align 1 @__const.main.text, i64 10, i1 false)
  %58 = getelementptr inbounds [10 x i8], ptr %7, i64 0, i64 0
  call void @rc4(ptr noundef @.str.1, i32 noundef 3, ptr noundef %58, i32 noundef 9)
  store i32 0, ptr %8, align 4
  br label %59

59:
  %60 = load i32, ptr %8, align 4
  %61 = icmp slt i32 %60, 9
  br i1 %61, label %62, label %72

62:
  %63 = load i32, ptr %8, align 4
  %64 = sext i32 %63 to i64
  %65 = getelementptr inbounds [10 x i8], ptr %7, i64 0, i64 %64
  %66 = load i8, ptr %65, align 1
  %67 = zext i8 %66 to i32
  %68 = call i32 (ptr, ...) @printf(ptr noundef @.str.2, i32 noundef %67)
  br label %69

69:
  %70 = load i32, ptr %8, align 4
  %71 = add nsw i32 %70, 1
  store i32 %71, ptr %8, align 4
  br label %59, !llvm.loop !12

72:
  %73 = getelementptr inbounds [10 x i8], ptr %7, i64 0, i64 0
  %74 = load i8, ptr %73, align 1
  %75 = zext i8 %74 to i32
  %76 = icmp ne i32 %75, 187
  br i1 %76, label %82, label %77

77:
  %78 = getelementptr inbounds [10 x i8], ptr %7, i64 0, i64 8
  %79 = load i8, ptr %78, align 1
  %80 = zext i8 %79 to i32
  %81 = icmp ne i32 %80, 211
  br label %82

82:
  %83 = phi i1 [ true, %72 ], [ %81, %77 ]
  %84 = zext i1 %83 to i32
  %85 = load i32, ptr %4, align 4
  %86 = add nsw i32 %85, %84
  store i32 %86, ptr %4, align 4
  %87 = getelementptr inbounds [10 x i8], ptr %7, i64 0, i64 0
  call void @rc4(ptr noundef @.str.1, i32 noundef 3, ptr noundef %87, i32 noundef 9)
  %88 = getelementptr inbounds [10 x i8], ptr %7, i64 0, i64 0
  %89 = load i32, ptr %4, align 4
  %90 = call i32 (ptr, ...) @printf(ptr noundef @.str.3, ptr noundef %88, i32 noundef %89)
  %91 = load i32, ptr %4, align 4
  %92 = icmp ne i32 %91, 0
  %93 = zext i1 %92 to i32
  ret i32 %93
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

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
