source_filename = "radixsort.c"

@buffer = internal global [500 x i32] zeroinitializer, align 16
@others = internal global [500 x i32] zeroinitializer, align 16
@values = internal global [500 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [19 x i8] c"%08x %08x %08x %d\0A\00", align 1

define dso_local void @sort_by_bytes(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca [257 x i32], align 16
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 0, ptr %5, align 4
  br label %11

11:
  %12 = load i32, ptr %5, align 4
  %13 = icmp slt i32 %12, 32
  br i1 %13, label %14, label %103

14:
  call void @llvm.memset.p0.i64(ptr align 16 %6, i8 0, i64 1028, i1 false)
  store i32 0, ptr %7, align 4
  br label %15

15:
  %16 = load i32, ptr %7, align 4
  %17 = load i32, ptr %4, align 4
  %18 = icmp slt i32 %16, %17
  br i1 %18, label %19, label %36

19:
  %20 = load ptr, ptr %3, align 8
  %21 = load i32, ptr %7, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds i32, ptr %20, i64 %22
  %24 = load i32, ptr %23, align 4
  %25 = load i32, ptr %5, align 4
  %26 = lshr i32 %24, %25
  %27 = and i32 %26, 255
  %28 = add i32 %27, 1
  %29 = zext i32 %28 to i64
  %30 = getelementptr inbounds nuw [257 x i32], ptr %6, i64 0, i64 %29
  %31 = load i32, ptr %30, align 4
  %32 = add nsw i32 %31, 1
  store i32 %32, ptr %30, align 4
  br label %33

33:
  %34 = load i32, ptr %7, align 4
  %35 = add nsw i32 %34, 1
  store i32 %35, ptr %7, align 4
  br label %15, !llvm.loop !4

36:
  store i32 0, ptr %8, align 4
  br label %37

37:
  %38 = load i32, ptr %8, align 4
  %39 = icmp slt i32 %38, 256
  br i1 %39, label %40, label %54

40:
  %41 = load i32, ptr %8, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [257 x i32], ptr %6, i64 0, i64 %42
  %44 = load i32, ptr %43, align 4
  %45 = load i32, ptr %8, align 4
  %46 = add nsw i32 %45, 1
  %47 = sext i32 %46 to i64
  %48 = getelementptr inbounds [257 x i32], ptr %6, i64 0, i64 %47
  %49 = load i32, ptr %48, align 4
  %50 = add nsw i32 %49, %44
  store i32 %50, ptr %48, align 4
  br label %51

51:
  %52 = load i32, ptr %8, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %8, align 4
  br label %37, !llvm.loop !6

54:
  store i32 0, ptr %9, align 4
  br label %55

55:
  %56 = load i32, ptr %9, align 4
  %57 = load i32, ptr %4, align 4
  %58 = icmp slt i32 %56, %57
  br i1 %58, label %59, label %82

59:
  %60 = load ptr, ptr %3, align 8
  %61 = load i32, ptr %9, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds i32, ptr %60, i64 %62
  %64 = load i32, ptr %63, align 4
  %65 = load ptr, ptr %3, align 8
  %66 = load i32, ptr %9, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds i32, ptr %65, i64 %67
  %69 = load i32, ptr %68, align 4
  %70 = load i32, ptr %5, align 4
  %71 = lshr i32 %69, %70
  %72 = and i32 %71, 255
  %73 = zext i32 %72 to i64
  %74 = getelementptr inbounds nuw [257 x i32], ptr %6, i64 0, i64 %73
  %75 = load i32, ptr %74, align 4
  %76 = add nsw i32 %75, 1
  store i32 %76, ptr %74, align 4
  %77 = sext i32 %75 to i64
  %78 = getelementptr inbounds [500 x i32], ptr @buffer, i64 0, i64 %77
  store i32 %64, ptr %78, align 4
  br label %79

79:
  %80 = load i32, ptr %9, align 4
  %81 = add nsw i32 %80, 1
  store i32 %81, ptr %9, align 4
  br label %55, !llvm.loop !7

82:
  store i32 0, ptr %10, align 4
  br label %83

83:
  %84 = load i32, ptr %10, align 4
  %85 = load i32, ptr %4, align 4
  %86 = icmp slt i32 %84, %85
  br i1 %86, label %87, label %99

87:
  %88 = load i32, ptr %10, align 4
  %89 = sext i32 %88 to i64
  %90 = getelementptr inbounds [500 x i32], ptr @buffer, i64 0, i64 %89
  %91 = load i32, ptr %90, align 4
  %92 = load ptr, ptr %3, align 8
  %93 = load i32, ptr %10, align 4
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds i32, ptr %92, i64 %94
  store i32 %91, ptr %95, align 4
  br label %96

96:
  %97 = load i32, ptr %10, align 4
  %98 = add nsw i32 %97, 1
  store i32 %98, ptr %10, align 4
  br label %83, !llvm.loop !8

99:
  br label %100

100:
  %101 = load i32, ptr %5, align 4
  %102 = add nsw i32 %101, 8
  store i32 %102, ptr %5, align 4
  br label %11, !llvm.loop !9

103:
  ret void
}

declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

define dso_local void @sort_by_bits(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  store ptr %0, ptr %5, align 8
  store i32 %1, ptr %6, align 4
  store i32 %2, ptr %7, align 4
  store i32 %3, ptr %8, align 4
  %12 = load i32, ptr %6, align 4
  %13 = load i32, ptr %7, align 4
  %14 = icmp sge i32 %12, %13
  br i1 %14, label %18, label %15

15:
  %16 = load i32, ptr %8, align 4
  %17 = icmp ne i32 %16, 0
  br i1 %17, label %19, label %18

18:
  br label %71

19:
  %20 = load i32, ptr %6, align 4
  store i32 %20, ptr %9, align 4
  %21 = load i32, ptr %7, align 4
  store i32 %21, ptr %10, align 4
  br label %22

22:
  %23 = load i32, ptr %9, align 4
  %24 = load i32, ptr %10, align 4
  %25 = icmp sle i32 %23, %24
  br i1 %25, label %26, label %60

26:
  %27 = load ptr, ptr %5, align 8
  %28 = load i32, ptr %9, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds i32, ptr %27, i64 %29
  %31 = load i32, ptr %30, align 4
  %32 = load i32, ptr %8, align 4
  %33 = and i32 %31, %32
  %34 = icmp ne i32 %33, 0
  br i1 %34, label %38, label %35

35:
  %36 = load i32, ptr %9, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %9, align 4
  br label %59

38:
  %39 = load ptr, ptr %5, align 8
  %40 = load i32, ptr %9, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i32, ptr %39, i64 %41
  %43 = load i32, ptr %42, align 4
  store i32 %43, ptr %11, align 4
  %44 = load ptr, ptr %5, align 8
  %45 = load i32, ptr %10, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds i32, ptr %44, i64 %46
  %48 = load i32, ptr %47, align 4
  %49 = load ptr, ptr %5, align 8
  %50 = load i32, ptr %9, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds i32, ptr %49, i64 %51
  store i32 %48, ptr %52, align 4
  %53 = load i32, ptr %11, align 4
  %54 = load ptr, ptr %5, align 8
  %55 = load i32, ptr %10, align 4
  %56 = add nsw i32 %55, -1
  store i32 %56, ptr %10, align 4
  %57 = sext i32 %55 to i64
  %58 = getelementptr inbounds i32, ptr %54, i64 %57
  store i32 %53, ptr %58, align 4
  br label %59

59:
  br label %22, !llvm.loop !10

60:
  %61 = load ptr, ptr %5, align 8
  %62 = load i32, ptr %6, align 4
  %63 = load i32, ptr %10, align 4
  %64 = load i32, ptr %8, align 4
  %65 = lshr i32 %64, 1
  call void @sort_by_bits(ptr noundef %61, i32 noundef %62, i32 noundef %63, i32 noundef %65)
  %66 = load ptr, ptr %5, align 8
  %67 = load i32, ptr %9, align 4
  %68 = load i32, ptr %7, align 4
  %69 = load i32, ptr %8, align 4
  %70 = lshr i32 %69, 1
  call void @sort_by_bits(ptr noundef %66, i32 noundef %67, i32 noundef %68, i32 noundef %70)
  br label %71

71:
  ret void
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 99, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %7

7:
  %8 = load i32, ptr %4, align 4
  %9 = icmp slt i32 %8, 500
  br i1 %9, label %10, label %33

10:
  %11 = load i32, ptr %2, align 4
  %12 = shl i32 %11, 13
  %13 = load i32, ptr %2, align 4
  %14 = xor i32 %13, %12
  store i32 %14, ptr %2, align 4
  %15 = load i32, ptr %2, align 4
  %16 = lshr i32 %15, 17
  %17 = load i32, ptr %2, align 4
  %18 = xor i32 %17, %16
  store i32 %18, ptr %2, align 4
  %19 = load i32, ptr %2, align 4
  %20 = shl i32 %19, 5
  %21 = load i32, ptr %2, align 4
  %22 = xor i32 %21, %20
  store i32 %22, ptr %2, align 4
  %23 = load i32, ptr %2, align 4
  %24 = load i32, ptr %4, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [500 x i32], ptr @others, i64 0, i64 %25
  store i32 %23, ptr %26, align 4
  %27 = load i32, ptr %4, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [500 x i32], ptr @values, i64 0, i64 %28
  store i32 %23, ptr %29, align 4
  br label %30

30:
  %31 = load i32, ptr %4, align 4
  %32 = add nsw i32 %31, 1
  store i32 %32, ptr %4, align 4
  br label %7, !llvm.loop !11

33:
  call void @sort_by_bytes(ptr noundef @values, i32 noundef 500)
  call void @sort_by_bits(ptr noundef @others, i32 noundef 0, i32 noundef 499, i32 noundef -2147483648)
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %34

34:
  %35 = load i32, ptr %6, align 4
  %36 = icmp slt i32 %35, 500
  br i1 %36, label %37, label %78

37:
  %38 = load i32, ptr %6, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [500 x i32], ptr @values, i64 0, i64 %39
  %41 = load i32, ptr %40, align 4
  %42 = load i32, ptr %6, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [500 x i32], ptr @others, i64 0, i64 %43
  %45 = load i32, ptr %44, align 4
  %46 = icmp ne i32 %41, %45
  br i1 %46, label %63, label %47

47:
  %48 = load i32, ptr %6, align 4
  %49 = icmp ne i32 %48, 0
  br i1 %49, label %50, label %61

50:
  %51 = load i32, ptr %6, align 4
  %52 = sub nsw i32 %51, 1
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [500 x i32], ptr @values, i64 0, i64 %53
  %55 = load i32, ptr %54, align 4
  %56 = load i32, ptr %6, align 4
  %57 = sext i32 %56 to i64
  %58 = getelementptr inbounds [500 x i32], ptr @values, i64 0, i64 %57
  %59 = load i32, ptr %58, align 4
  %60 = icmp ugt i32 %55, %59
  br label %61

61:
  %62 = phi i1 [ false, %47 ], [ %60, %50 ]
  br label %63

63:
  %64 = phi i1 [ true, %37 ], [ %62, %61 ]
  %65 = zext i1 %64 to i32
  %66 = load i32, ptr %5, align 4
  %67 = add nsw i32 %66, %65
  store i32 %67, ptr %5, align 4
  %68 = load i32, ptr %3, align 4
  %69 = mul i32 %68, 33
  %70 = load i32, ptr %6, align 4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [500 x i32], ptr @values, i64 0, i64 %71
  %73 = load i32, ptr %72, align 4
  %74 = xor i32 %69, %73
  store i32 %74, ptr %3, align 4
  br label %75

75:
  %76 = load i32, ptr %6, align 4
  %77 = add nsw i32 %76, 1
  store i32 %77, ptr %6, align 4
  br label %34, !llvm.loop !12

78:
  %79 = load i32, ptr @values, align 16
  %80 = load i32, ptr getelementptr inbounds ([500 x i32], ptr @values, i64 0, i64 499), align 4
  %81 = load i32, ptr %3, align 4
  %82 = load i32, ptr %5, align 4
  %83 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %79, i32 noundef %80, i32 noundef %81, i32 noundef %82)
  %84 = load i32, ptr %5, align 4
  %85 = icmp ne i32 %84, 0
  %86 = zext i1 %85 to i32
  ret i32 %86
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
