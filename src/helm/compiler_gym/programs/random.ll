source_filename = "random.c"

@twister = internal global [624 x i32] zeroinitializer, align 16
@twister_at = internal global i32 624, align 4
@__const.main.xorshift = private unnamed_addr constant [2 x i64] [i64 1, i64 2], align 16
@.str = private unnamed_addr constant [26 x i8] c"%u %u %016llx %u %d %08x\0A\00", align 1

define dso_local void @seed_twister(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %4 = load i32, ptr %2, align 4
  store i32 %4, ptr @twister, align 16
  store i32 1, ptr %3, align 4
  br label %5

5:
  %6 = load i32, ptr %3, align 4
  %7 = icmp ult i32 %6, 624
  br i1 %7, label %8, label %30

8:
  %9 = load i32, ptr %3, align 4
  %10 = sub i32 %9, 1
  %11 = zext i32 %10 to i64
  %12 = getelementptr inbounds nuw [624 x i32], ptr @twister, i64 0, i64 %11
  %13 = load i32, ptr %12, align 4
  %14 = load i32, ptr %3, align 4
  %15 = sub i32 %14, 1
  %16 = zext i32 %15 to i64
  %17 = getelementptr inbounds nuw [624 x i32], ptr @twister, i64 0, i64 %16
  %18 = load i32, ptr %17, align 4
  %19 = lshr i32 %18, 30
  %20 = xor i32 %13, %19
  %21 = mul i32 1812433253, %20
  %22 = load i32, ptr %3, align 4
  %23 = add i32 %21, %22
  %24 = load i32, ptr %3, align 4
  %25 = zext i32 %24 to i64
  %26 = getelementptr inbounds nuw [624 x i32], ptr @twister, i64 0, i64 %25
  store i32 %23, ptr %26, align 4
  br label %27

27:
  %28 = load i32, ptr %3, align 4
  %29 = add i32 %28, 1
  store i32 %29, ptr %3, align 4
  br label %5, !llvm.loop !4

30:
  store i32 624, ptr @twister_at, align 4
  ret void
}

define dso_local i32 @next_twister() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = load i32, ptr @twister_at, align 4
  %5 = icmp eq i32 %4, 624
  br i1 %5, label %6, label %46

6:
  store i32 0, ptr %1, align 4
  br label %7

7:
  %8 = load i32, ptr %1, align 4
  %9 = icmp slt i32 %8, 624
  br i1 %9, label %10, label %45

10:
  %11 = load i32, ptr %1, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [624 x i32], ptr @twister, i64 0, i64 %12
  %14 = load i32, ptr %13, align 4
  %15 = and i32 %14, -2147483648
  %16 = load i32, ptr %1, align 4
  %17 = add nsw i32 %16, 1
  %18 = srem i32 %17, 624
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [624 x i32], ptr @twister, i64 0, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = and i32 %21, 2147483647
  %23 = or i32 %15, %22
  store i32 %23, ptr %2, align 4
  %24 = load i32, ptr %1, align 4
  %25 = add nsw i32 %24, 397
  %26 = srem i32 %25, 624
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds [624 x i32], ptr @twister, i64 0, i64 %27
  %29 = load i32, ptr %28, align 4
  %30 = load i32, ptr %2, align 4
  %31 = lshr i32 %30, 1
  %32 = xor i32 %29, %31
  %33 = load i32, ptr %2, align 4
  %34 = and i32 %33, 1
  %35 = icmp ne i32 %34, 0
  %36 = zext i1 %35 to i64
  %37 = select i1 %35, i32 -1727483681, i32 0
  %38 = xor i32 %32, %37
  %39 = load i32, ptr %1, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [624 x i32], ptr @twister, i64 0, i64 %40
  store i32 %38, ptr %41, align 4
  br label %42

42:
  %43 = load i32, ptr %1, align 4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %1, align 4
  br label %7, !llvm.loop !6

45:
  store i32 0, ptr @twister_at, align 4
  br label %46

46:
  %47 = load i32, ptr @twister_at, align 4
  %48 = add nsw i32 %47, 1
  store i32 %48, ptr @twister_at, align 4
  %49 = sext i32 %47 to i64
  %50 = getelementptr inbounds [624 x i32], ptr @twister, i64 0, i64 %49
  %51 = load i32, ptr %50, align 4
  store i32 %51, ptr %3, align 4
  %52 = load i32, ptr %3, align 4
  %53 = lshr i32 %52, 11
  %54 = load i32, ptr %3, align 4
  %55 = xor i32 %54, %53
  store i32 %55, ptr %3, align 4
  %56 = load i32, ptr %3, align 4
  %57 = shl i32 %56, 7
  %58 = and i32 %57, -1658038656
  %59 = load i32, ptr %3, align 4
  %60 = xor i32 %59, %58
  store i32 %60, ptr %3, align 4
  %61 = load i32, ptr %3, align 4
  %62 = shl i32 %61, 15
  %63 = and i32 %62, -272236544
  %64 = load i32, ptr %3, align 4
  %65 = xor i32 %64, %63
  store i32 %65, ptr %3, align 4
  %66 = load i32, ptr %3, align 4
  %67 = load i32, ptr %3, align 4
  %68 = lshr i32 %67, 18
  %69 = xor i32 %66, %68
  ret i32 %69
}

define dso_local i64 @next_xorshift(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  store ptr %0, ptr %2, align 8
  %5 = load ptr, ptr %2, align 8
  %6 = getelementptr inbounds i64, ptr %5, i64 0
  %7 = load i64, ptr %6, align 8
  store i64 %7, ptr %3, align 8
  %8 = load ptr, ptr %2, align 8
  %9 = getelementptr inbounds i64, ptr %8, i64 1
  %10 = load i64, ptr %9, align 8
  store i64 %10, ptr %4, align 8
  %11 = load i64, ptr %4, align 8
  %12 = load ptr, ptr %2, align 8
  %13 = getelementptr inbounds i64, ptr %12, i64 0
  store i64 %11, ptr %13, align 8
  %14 = load i64, ptr %3, align 8
  %15 = shl i64 %14, 23
  %16 = load i64, ptr %3, align 8
  %17 = xor i64 %16, %15
  store i64 %17, ptr %3, align 8
  %18 = load i64, ptr %3, align 8
  %19 = load i64, ptr %4, align 8
  %20 = xor i64 %18, %19
  %21 = load i64, ptr %3, align 8
  %22 = lshr i64 %21, 18
  %23 = xor i64 %20, %22
  %24 = load i64, ptr %4, align 8
  %25 = lshr i64 %24, 5
  %26 = xor i64 %23, %25
  %27 = load ptr, ptr %2, align 8
  %28 = getelementptr inbounds i64, ptr %27, i64 1
  store i64 %26, ptr %28, align 8
  %29 = load ptr, ptr %2, align 8
  %30 = getelementptr inbounds i64, ptr %29, i64 1
  %31 = load i64, ptr %30, align 8
  %32 = load i64, ptr %4, align 8
  %33 = add i64 %31, %32
  ret i64 %33
}

define dso_local i32 @next_pcg(ptr noundef %0, i64 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i64 %1, ptr %4, align 8
  %8 = load ptr, ptr %3, align 8
  %9 = load i64, ptr %8, align 8
  store i64 %9, ptr %5, align 8
  %10 = load i64, ptr %5, align 8
  %11 = mul i64 %10, 6364136223846793005
  %12 = load i64, ptr %4, align 8
  %13 = or i64 %12, 1
  %14 = add i64 %11, %13
  %15 = load ptr, ptr %3, align 8
  store i64 %14, ptr %15, align 8
  %16 = load i64, ptr %5, align 8
  %17 = lshr i64 %16, 18
  %18 = load i64, ptr %5, align 8
  %19 = xor i64 %17, %18
  %20 = lshr i64 %19, 27
  %21 = trunc i64 %20 to i32
  store i32 %21, ptr %6, align 4
  %22 = load i64, ptr %5, align 8
  %23 = lshr i64 %22, 59
  %24 = trunc i64 %23 to i32
  store i32 %24, ptr %7, align 4
  %25 = load i32, ptr %6, align 4
  %26 = load i32, ptr %7, align 4
  %27 = lshr i32 %25, %26
  %28 = load i32, ptr %6, align 4
  %29 = load i32, ptr %7, align 4
  %30 = sub i32 32, %29
  %31 = and i32 %30, 31
  %32 = shl i32 %28, %31
  %33 = or i32 %27, %32
  ret i32 %33
}

define dso_local i32 @next_park_miller(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = zext i32 %3 to i64
  %5 = mul i64 %4, 48271
  %6 = urem i64 %5, 2147483647
  %7 = trunc i64 %6 to i32
  ret i32 %7
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca [2 x i64], align 16
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca [52 x i32], align 16
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = alloca i32, align 4
  %18 = alloca i32, align 4
  %19 = alloca i32, align 4
  %20 = alloca i32, align 4
  %21 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %2, ptr align 16 @__const.main.xorshift, i64 16, i1 false)
  store i64 0, ptr %3, align 8
  store i64 0, ptr %4, align 8
  store i32 1, ptr %5, align 4
  store i32 0, ptr %6, align 4
  store i32 0, ptr %8, align 4
  call void @seed_twister(i32 noundef 5489)
  %22 = call i32 @next_twister()
  store i32 %22, ptr %9, align 4
  store i32 1, ptr %10, align 4
  br label %23

23:
  %24 = load i32, ptr %10, align 4
  %25 = icmp slt i32 %24, 9999
  br i1 %25, label %26, label %31

26:
  %27 = call i32 @next_twister()
  br label %28

28:
  %29 = load i32, ptr %10, align 4
  %30 = add nsw i32 %29, 1
  store i32 %30, ptr %10, align 4
  br label %23, !llvm.loop !7

31:
  %32 = call i32 @next_twister()
  store i32 %32, ptr %11, align 4
  store i32 0, ptr %12, align 4
  br label %33

33:
  %34 = load i32, ptr %12, align 4
  %35 = icmp slt i32 %34, 1000
  br i1 %35, label %36, label %42

36:
  %37 = getelementptr inbounds [2 x i64], ptr %2, i64 0, i64 0
  %38 = call i64 @next_xorshift(ptr noundef %37)
  store i64 %38, ptr %4, align 8
  br label %39

39:
  %40 = load i32, ptr %12, align 4
  %41 = add nsw i32 %40, 1
  store i32 %41, ptr %12, align 4
  br label %33, !llvm.loop !8

42:
  %43 = call i32 @next_pcg(ptr noundef %3, i64 noundef 109)
  %44 = load i64, ptr %3, align 8
  %45 = add i64 %44, 42
  store i64 %45, ptr %3, align 8
  %46 = call i32 @next_pcg(ptr noundef %3, i64 noundef 109)
  store i32 0, ptr %13, align 4
  br label %47

47:
  %48 = load i32, ptr %13, align 4
  %49 = icmp slt i32 %48, 10000
  br i1 %49, label %50, label %56

50:
  %51 = load i32, ptr %5, align 4
  %52 = call i32 @next_park_miller(i32 noundef %51)
  store i32 %52, ptr %5, align 4
  br label %53

53:
  %54 = load i32, ptr %13, align 4
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %13, align 4
  br label %47, !llvm.loop !9

56:
  store i32 0, ptr %14, align 4
  br label %57

57:
  %58 = load i32, ptr %14, align 4
  %59 = icmp slt i32 %58, 2000
  br i1 %59, label %60, label %79

60:
  %61 = call i32 @next_pcg(ptr noundef %3, i64 noundef 109)
  %62 = lshr i32 %61, 17
  store i32 %62, ptr %15, align 4
  %63 = call i32 @next_pcg(ptr noundef %3, i64 noundef 109)
  %64 = lshr i32 %63, 17
  store i32 %64, ptr %16, align 4
  %65 = load i32, ptr %15, align 4
  %66 = load i32, ptr %15, align 4
  %67 = mul i32 %65, %66
  %68 = load i32, ptr %16, align 4
  %69 = load i32, ptr %16, align 4
  %70 = mul i32 %68, %69
  %71 = add i32 %67, %70
  %72 = icmp ult i32 %71, 1073741824
  %73 = zext i1 %72 to i32
  %74 = load i32, ptr %8, align 4
  %75 = add nsw i32 %74, %73
  store i32 %75, ptr %8, align 4
  br label %76

76:
  %77 = load i32, ptr %14, align 4
  %78 = add nsw i32 %77, 1
  store i32 %78, ptr %14, align 4
  br label %57, !llvm.loop !10

79:
  store i32 0, ptr %17, align 4
  br label %80

80:
  %81 = load i32, ptr %17, align 4
  %82 = icmp slt i32 %81, 52
  br i1 %82, label %83, label %91

83:
  %84 = load i32, ptr %17, align 4
  %85 = load i32, ptr %17, align 4
  %86 = sext i32 %85 to i64
  %87 = getelementptr inbounds [52 x i32], ptr %7, i64 0, i64 %86
  store i32 %84, ptr %87, align 4
  br label %88

88:
  %89 = load i32, ptr %17, align 4
  %90 = add nsw i32 %89, 1
  store i32 %90, ptr %17, align 4
  br label %80, !llvm.loop !11

91:
  store i32 51, ptr %18, align 4
  br label %92

92:
  %93 = load i32, ptr %18, align 4
  %94 = icmp sgt i32 %93, 0
  br i1 %94, label %95, label %118

95:
  %96 = call i32 @next_twister()
  %97 = load i32, ptr %18, align 4
  %98 = add nsw i32 %97, 1
  %99 = urem i32 %96, %98
  store i32 %99, ptr %19, align 4
  %100 = load i32, ptr %18, align 4
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds [52 x i32], ptr %7, i64 0, i64 %101
  %103 = load i32, ptr %102, align 4
  store i32 %103, ptr %20, align 4
  %104 = load i32, ptr %19, align 4
  %105 = sext i32 %104 to i64
  %106 = getelementptr inbounds [52 x i32], ptr %7, i64 0, i64 %105
  %107 = load i32, ptr %106, align 4
  %108 = load i32, ptr %18, align 4
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds [52 x i32], ptr %7, i64 0, i64 %109
  store i32 %107, ptr %110, align 4
  %111 = load i32, ptr %20, align 4
  %112 = load i32, ptr %19, align 4
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds [52 x i32], ptr %7, i64 0, i64 %113
  store i32 %111, ptr %114, align 4
  br label %115

115:
  %116 = load i32, ptr %18, align 4
  %117 = add nsw i32 %116, -1
  store i32 %117, ptr %18, align 4
  br label %92, !llvm.loop !12

118:
  store i32 0, ptr %21, align 4
  br label %119

119:
  %120 = load i32, ptr %21, align 4
  %121 = icmp slt i32 %120, 52
  br i1 %121, label %122, label %133

122:
  %123 = load i32, ptr %6, align 4
  %124 = mul i32 %123, 31
  %125 = load i32, ptr %21, align 4
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds [52 x i32], ptr %7, i64 0, i64 %126
  %128 = load i32, ptr %127, align 4
  %129 = add i32 %124, %128
  store i32 %129, ptr %6, align 4
  br label %130

130:
  %131 = load i32, ptr %21, align 4
  %132 = add nsw i32 %131, 1
  store i32 %132, ptr %21, align 4
  br label %119, !llvm.loop !13

133:
  %134 = load i32, ptr %9, align 4
  %135 = load i32, ptr %11, align 4
  %136 = load i64, ptr %4, align 8
  %137 = load i32, ptr %5, align 4
  %138 = load i32, ptr %8, align 4
  %139 = load i32, ptr %6, align 4
  %140 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %134, i32 noundef %135, i64 noundef %136, i32 noundef %137, i32 noundef %138, i32 noundef %139)
  %141 = load i32, ptr %9, align 4
  %142 = icmp ne i32 %141, -795755684
  br i1 %142, label %149, label %143

143:
  %144 = load i32, ptr %11, align 4
  %145 = icmp ne i32 %144, -171307301
  br i1 %145, label %149, label %146

146:
  %147 = load i32, ptr %5, align 4
  %148 = icmp ne i32 %147, 399268537
  br label %149

149:
  %150 = phi i1 [ true, %143 ], [ true, %133 ], [ %148, %146 ]
  %151 = zext i1 %150 to i32
  ret i32 %151
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
!13 = distinct !{!13, !5}
