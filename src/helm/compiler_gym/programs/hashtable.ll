source_filename = "hashtable.c"

@keys = internal global [256 x i32] zeroinitializer, align 16
@counts = internal global [256 x i32] zeroinitializer, align 16
@plain = internal global [180 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [10 x i8] c"%d %d %d\0A\00", align 1

define dso_local i32 @hash_of(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %4 = load i32, ptr %2, align 4
  store i32 %4, ptr %3, align 4
  %5 = load i32, ptr %3, align 4
  %6 = load i32, ptr %3, align 4
  %7 = lshr i32 %6, 16
  %8 = xor i32 %5, %7
  %9 = mul i32 %8, 73244475
  store i32 %9, ptr %3, align 4
  %10 = load i32, ptr %3, align 4
  %11 = load i32, ptr %3, align 4
  %12 = lshr i32 %11, 16
  %13 = xor i32 %10, %12
  %14 = mul i32 %13, 73244475
  store i32 %14, ptr %3, align 4
  %15 = load i32, ptr %3, align 4
  %16 = load i32, ptr %3, align 4
  %17 = lshr i32 %16, 16
  %18 = xor i32 %15, %17
  %19 = urem i32 %18, 256
  ret i32 %19
}

define dso_local i32 @find_slot(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %4 = load i32, ptr %2, align 4
  %5 = call i32 @hash_of(i32 noundef %4)
  store i32 %5, ptr %3, align 4
  br label %6

6:
  %7 = load i32, ptr %3, align 4
  %8 = zext i32 %7 to i64
  %9 = getelementptr inbounds nuw [256 x i32], ptr @keys, i64 0, i64 %8
  %10 = load i32, ptr %9, align 4
  %11 = icmp ne i32 %10, 0
  br i1 %11, label %12, label %19

12:
  %13 = load i32, ptr %3, align 4
  %14 = zext i32 %13 to i64
  %15 = getelementptr inbounds nuw [256 x i32], ptr @keys, i64 0, i64 %14
  %16 = load i32, ptr %15, align 4
  %17 = load i32, ptr %2, align 4
  %18 = icmp ne i32 %16, %17
  br label %19

19:
  %20 = phi i1 [ false, %6 ], [ %18, %12 ]
  br i1 %20, label %21, label %25

21:
  %22 = load i32, ptr %3, align 4
  %23 = add i32 %22, 1
  %24 = urem i32 %23, 256
  store i32 %24, ptr %3, align 4
  br label %6, !llvm.loop !4

25:
  %26 = load i32, ptr %3, align 4
  ret i32 %26
}

define dso_local void @add_to(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %6 = load i32, ptr %3, align 4
  %7 = call i32 @find_slot(i32 noundef %6)
  store i32 %7, ptr %5, align 4
  %8 = load i32, ptr %3, align 4
  %9 = load i32, ptr %5, align 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [256 x i32], ptr @keys, i64 0, i64 %10
  store i32 %8, ptr %11, align 4
  %12 = load i32, ptr %4, align 4
  %13 = load i32, ptr %5, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [256 x i32], ptr @counts, i64 0, i64 %14
  %16 = load i32, ptr %15, align 4
  %17 = add nsw i32 %16, %12
  store i32 %17, ptr %15, align 4
  ret void
}

define dso_local i32 @remove_key(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  %7 = load i32, ptr %3, align 4
  %8 = call i32 @find_slot(i32 noundef %7)
  store i32 %8, ptr %4, align 4
  %9 = load i32, ptr %4, align 4
  %10 = zext i32 %9 to i64
  %11 = getelementptr inbounds nuw [256 x i32], ptr @keys, i64 0, i64 %10
  %12 = load i32, ptr %11, align 4
  %13 = icmp ne i32 %12, 0
  br i1 %13, label %15, label %14

14:
  store i32 0, ptr %2, align 4
  br label %74

15:
  %16 = load i32, ptr %4, align 4
  %17 = zext i32 %16 to i64
  %18 = getelementptr inbounds nuw [256 x i32], ptr @counts, i64 0, i64 %17
  store i32 0, ptr %18, align 4
  %19 = load i32, ptr %4, align 4
  %20 = zext i32 %19 to i64
  %21 = getelementptr inbounds nuw [256 x i32], ptr @keys, i64 0, i64 %20
  store i32 0, ptr %21, align 4
  %22 = load i32, ptr %4, align 4
  %23 = add i32 %22, 1
  %24 = urem i32 %23, 256
  store i32 %24, ptr %5, align 4
  br label %25

25:
  %26 = load i32, ptr %5, align 4
  %27 = zext i32 %26 to i64
  %28 = getelementptr inbounds nuw [256 x i32], ptr @keys, i64 0, i64 %27
  %29 = load i32, ptr %28, align 4
  %30 = icmp ne i32 %29, 0
  br i1 %30, label %31, label %73

31:
  %32 = load i32, ptr %5, align 4
  %33 = zext i32 %32 to i64
  %34 = getelementptr inbounds nuw [256 x i32], ptr @keys, i64 0, i64 %33
  %35 = load i32, ptr %34, align 4
  %36 = call i32 @hash_of(i32 noundef %35)
  store i32 %36, ptr %6, align 4
  %37 = load i32, ptr %5, align 4
  %38 = load i32, ptr %6, align 4
  %39 = sub i32 %37, %38
  %40 = urem i32 %39, 256
  %41 = load i32, ptr %5, align 4
  %42 = load i32, ptr %4, align 4
  %43 = sub i32 %41, %42
  %44 = urem i32 %43, 256
  %45 = icmp uge i32 %40, %44
  br i1 %45, label %46, label %68

46:
  %47 = load i32, ptr %5, align 4
  %48 = zext i32 %47 to i64
  %49 = getelementptr inbounds nuw [256 x i32], ptr @keys, i64 0, i64 %48
  %50 = load i32, ptr %49, align 4
  %51 = load i32, ptr %4, align 4
  %52 = zext i32 %51 to i64
  %53 = getelementptr inbounds nuw [256 x i32], ptr @keys, i64 0, i64 %52
  store i32 %50, ptr %53, align 4
  %54 = load i32, ptr %5, align 4
  %55 = zext i32 %54 to i64
  %56 = getelementptr inbounds nuw [256 x i32], ptr @counts, i64 0, i64 %55
  %57 = load i32, ptr %56, align 4
  %58 = load i32, ptr %4, align 4
  %59 = zext i32 %58 to i64
  %60 = getelementptr inbounds nuw [256 x i32], ptr @counts, i64 0, i64 %59
  store i32 %57, ptr %60, align 4
  %61 = load i32, ptr %5, align 4
  %62 = zext i32 %61 to i64
  %63 = getelementptr inbounds nuw [256 x i32], ptr @counts, i64 0, i64 %62
  store i32 0, ptr %63, align 4
  %64 = load i32, ptr %5, align 4
  %65 = zext i32 %64 to i64
  %66 = getelementptr inbounds nuw [256 x i32], ptr @keys, i64 0, i64 %65
  store i32 0, ptr %66, align 4
  %67 = load i32, ptr %5, align 4
  store i32 %67, ptr %4, align 4
  br label %68

68:
  br label %69

69:
  %70 = load i32, ptr %5, align 4
  %71 = add i32 %70, 1
  %72 = urem i32 %71, 256
  store i32 %72, ptr %5, align 4
  br label %25, !llvm.loop !6

73:
  store i32 1, ptr %2, align 4
  br label %74

74:
  %75 = load i32, ptr %2, align 4
  ret i32 %75
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
  store i32 0, ptr %1, align 4
  store i32 5, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %11

11:
  %12 = load i32, ptr %6, align 4
  %13 = icmp slt i32 %12, 3000
  br i1 %13, label %14, label %64

14:
  %15 = load i32, ptr %2, align 4
  %16 = mul i32 %15, 1103515245
  %17 = add i32 %16, 12345
  store i32 %17, ptr %2, align 4
  %18 = load i32, ptr %2, align 4
  %19 = lshr i32 %18, 16
  %20 = srem i32 %19, 180
  store i32 %20, ptr %7, align 4
  %21 = load i32, ptr %6, align 4
  %22 = srem i32 %21, 5
  %23 = icmp eq i32 %22, 4
  br i1 %23, label %24, label %46

24:
  %25 = load i32, ptr %7, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [180 x i32], ptr @plain, i64 0, i64 %26
  %28 = load i32, ptr %27, align 4
  %29 = icmp ne i32 %28, 0
  %30 = zext i1 %29 to i32
  store i32 %30, ptr %8, align 4
  %31 = load i32, ptr %7, align 4
  %32 = add nsw i32 %31, 1000
  %33 = call i32 @remove_key(i32 noundef %32)
  store i32 %33, ptr %9, align 4
  %34 = load i32, ptr %9, align 4
  %35 = load i32, ptr %8, align 4
  %36 = icmp ne i32 %34, %35
  %37 = zext i1 %36 to i32
  %38 = load i32, ptr %4, align 4
  %39 = add nsw i32 %38, %37
  store i32 %39, ptr %4, align 4
  %40 = load i32, ptr %9, align 4
  %41 = load i32, ptr %3, align 4
  %42 = add nsw i32 %41, %40
  store i32 %42, ptr %3, align 4
  %43 = load i32, ptr %7, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [180 x i32], ptr @plain, i64 0, i64 %44
  store i32 0, ptr %45, align 4
  br label %60

46:
  %47 = load i32, ptr %7, align 4
  %48 = add nsw i32 %47, 1000
  %49 = load i32, ptr %6, align 4
  %50 = srem i32 %49, 7
  %51 = add nsw i32 %50, 1
  call void @add_to(i32 noundef %48, i32 noundef %51)
  %52 = load i32, ptr %6, align 4
  %53 = srem i32 %52, 7
  %54 = add nsw i32 %53, 1
  %55 = load i32, ptr %7, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [180 x i32], ptr @plain, i64 0, i64 %56
  %58 = load i32, ptr %57, align 4
  %59 = add nsw i32 %58, %54
  store i32 %59, ptr %57, align 4
  br label %60

60:
  br label %61

61:
  %62 = load i32, ptr %6, align 4
  %63 = add nsw i32 %62, 1
  store i32 %63, ptr %6, align 4
  br label %11, !llvm.loop !7

64:
  store i32 0, ptr %10, align 4
  br label %65

65:
  %66 = load i32, ptr %10, align 4
  %67 = icmp slt i32 %66, 180
  br i1 %67, label %68, label %92

68:
  %69 = load i32, ptr %10, align 4
  %70 = add nsw i32 %69, 1000
  %71 = call i32 @find_slot(i32 noundef %70)
  %72 = sext i32 %71 to i64
  %73 = getelementptr inbounds [256 x i32], ptr @counts, i64 0, i64 %72
  %74 = load i32, ptr %73, align 4
  %75 = load i32, ptr %10, align 4
  %76 = sext i32 %75 to i64
  %77 = getelementptr inbounds [180 x i32], ptr @plain, i64 0, i64 %76
  %78 = load i32, ptr %77, align 4
  %79 = icmp ne i32 %74, %78
  %80 = zext i1 %79 to i32
  %81 = load i32, ptr %4, align 4
  %82 = add nsw i32 %81, %80
  store i32 %82, ptr %4, align 4
  %83 = load i32, ptr %10, align 4
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds [180 x i32], ptr @plain, i64 0, i64 %84
  %86 = load i32, ptr %85, align 4
  %87 = load i32, ptr %5, align 4
  %88 = add nsw i32 %87, %86
  store i32 %88, ptr %5, align 4
  br label %89

89:
  %90 = load i32, ptr %10, align 4
  %91 = add nsw i32 %90, 1
  store i32 %91, ptr %10, align 4
  br label %65, !llvm.loop !8

92:
  %93 = load i32, ptr %3, align 4
  %94 = load i32, ptr %5, align 4
  %95 = load i32, ptr %4, align 4
  %96 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %93, i32 noundef %94, i32 noundef %95)
  %97 = load i32, ptr %4, align 4
  %98 = icmp ne i32 %97, 0
  %99 = zext i1 %98 to i32
  ret i32 %99
}

declare dso_local i32 @printf(ptr noundef, ...) #1

attributes #0 = { nounwind "no-trapping-math"="true" }
attributes #1 = { "no-trapping-math"="true" }


!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.mustprogress"}
!6 = distinct !{!6, !5}
!7 = distinct !{!7, !5}
!8 = distinct !{!8, !5}
