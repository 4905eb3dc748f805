source_filename = "lzw.c"

@prefix = internal global [4096 x i16] zeroinitializer, align 16
@last = internal global [4096 x i8] zeroinitializer, align 16
@text = internal global [1200 x i8] zeroinitializer, align 16
@codes = internal global [1200 x i16] zeroinitializer, align 16
@unpacked = internal global [1216 x i8] zeroinitializer, align 16
@.str = private unnamed_addr constant [24 x i8] c"abracadabra simsalabim \00", align 1
@.str.1 = private unnamed_addr constant [10 x i8] c"%d %d %d\0A\00", align 1

define dso_local i32 @find_code(i32 noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store i32 %0, ptr %5, align 4
  store i32 %1, ptr %6, align 4
  store i32 %2, ptr %7, align 4
  store i32 256, ptr %8, align 4
  br label %9

9:
  %10 = load i32, ptr %8, align 4
  %11 = load i32, ptr %7, align 4
  %12 = icmp slt i32 %10, %11
  br i1 %12, label %13, label %35

13:
  %14 = load i32, ptr %8, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [4096 x i16], ptr @prefix, i64 0, i64 %15
  %17 = load i16, ptr %16, align 2
  %18 = sext i16 %17 to i32
  %19 = load i32, ptr %5, align 4
  %20 = icmp eq i32 %18, %19
  br i1 %20, label %21, label %31

21:
  %22 = load i32, ptr %8, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [4096 x i8], ptr @last, i64 0, i64 %23
  %25 = load i8, ptr %24, align 1
  %26 = zext i8 %25 to i32
  %27 = load i32, ptr %6, align 4
  %28 = icmp eq i32 %26, %27
  br i1 %28, label %29, label %31

29:
  %30 = load i32, ptr %8, align 4
  store i32 %30, ptr %4, align 4
  br label %36

31:
  br label %32

32:
  %33 = load i32, ptr %8, align 4
  %34 = add nsw i32 %33, 1
  store i32 %34, ptr %8, align 4
  br label %9, !llvm.loop !4

35:
  store i32 -1, ptr %4, align 4
  br label %36

36:
  %37 = load i32, ptr %4, align 4
  ret i32 %37
}

define dso_local i32 @compress_text() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 256, ptr %1, align 4
  store i32 0, ptr %2, align 4
  %6 = load i8, ptr @text, align 16
  %7 = zext i8 %6 to i32
  store i32 %7, ptr %3, align 4
  store i32 1, ptr %4, align 4
  br label %8

8:
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %9, 1200
  br i1 %10, label %11, label %56

11:
  %12 = load i32, ptr %3, align 4
  %13 = load i32, ptr %4, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [1200 x i8], ptr @text, i64 0, i64 %14
  %16 = load i8, ptr %15, align 1
  %17 = zext i8 %16 to i32
  %18 = load i32, ptr %1, align 4
  %19 = call i32 @find_code(i32 noundef %12, i32 noundef %17, i32 noundef %18)
  store i32 %19, ptr %5, align 4
  %20 = load i32, ptr %5, align 4
  %21 = icmp sge i32 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = load i32, ptr %5, align 4
  store i32 %23, ptr %3, align 4
  br label %53

24:
  %25 = load i32, ptr %3, align 4
  %26 = trunc i32 %25 to i16
  %27 = load i32, ptr %2, align 4
  %28 = add nsw i32 %27, 1
  store i32 %28, ptr %2, align 4
  %29 = sext i32 %27 to i64
  %30 = getelementptr inbounds [1200 x i16], ptr @codes, i64 0, i64 %29
  store i16 %26, ptr %30, align 2
  %31 = load i32, ptr %1, align 4
  %32 = icmp slt i32 %31, 4096
  br i1 %32, label %33, label %47

33:
  %34 = load i32, ptr %3, align 4
  %35 = trunc i32 %34 to i16
  %36 = load i32, ptr %1, align 4
  %37 = sext i32 %36 to i64
  %38 = getelementptr inbounds [4096 x i16], ptr @prefix, i64 0, i64 %37
  store i16 %35, ptr %38, align 2
  %39 = load i32, ptr %4, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [1200 x i8], ptr @text, i64 0, i64 %40
  %42 = load i8, ptr %41, align 1
  %43 = load i32, ptr %1, align 4
  %44 = add nsw i32 %43, 1
  store i32 %44, ptr %1, align 4
  %45 = sext i32 %43 to i64
  %46 = getelementptr inbounds [4096 x i8], ptr @last, i64 0, i64 %45
  store i8 %42, ptr %46, align 1
  br label %47

47:
  %48 = load i32, ptr %4, align 4
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds [1200 x i8], ptr @text, i64 0, i64 %49
  %51 = load i8, ptr %50, align 1
  %52 = zext i8 %51 to i32
  store i32 %52, ptr %3, align 4
  br label %53

53:
  %54 = load i32, ptr %4, align 4
  %55 = add nsw i32 %54, 1
  store i32 %55, ptr %4, align 4
  br label %8, !llvm.loop !6

56:
  %57 = load i32, ptr %3, align 4
  %58 = trunc i32 %57 to i16
  %59 = load i32, ptr %2, align 4
  %60 = add nsw i32 %59, 1
  store i32 %60, ptr %2, align 4
  %61 = sext i32 %59 to i64
  %62 = getelementptr inbounds [1200 x i16], ptr @codes, i64 0, i64 %61
  store i16 %58, ptr %62, align 2
  %63 = load i32, ptr %2, align 4
  ret i32 %63
}

define dso_local i32 @expand(i32 noundef %0, ptr noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store ptr %1, ptr %5, align 8
  %7 = load i32, ptr %4, align 4
  %8 = icmp slt i32 %7, 256
  br i1 %8, label %9, label %14

9:
  %10 = load i32, ptr %4, align 4
  %11 = trunc i32 %10 to i8
  %12 = load ptr, ptr %5, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 0
  store i8 %11, ptr %13, align 1
  store i32 1, ptr %3, align 4
  br label %32

14:
  %15 = load i32, ptr %4, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [4096 x i16], ptr @prefix, i64 0, i64 %16
  %18 = load i16, ptr %17, align 2
  %19 = sext i16 %18 to i32
  %20 = load ptr, ptr %5, align 8
  %21 = call i32 @expand(i32 noundef %19, ptr noundef %20)
  store i32 %21, ptr %6, align 4
  %22 = load i32, ptr %4, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [4096 x i8], ptr @last, i64 0, i64 %23
  %25 = load i8, ptr %24, align 1
  %26 = load ptr, ptr %5, align 8
  %27 = load i32, ptr %6, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i8, ptr %26, i64 %28
  store i8 %25, ptr %29, align 1
  %30 = load i32, ptr %6, align 4
  %31 = add nsw i32 %30, 1
  store i32 %31, ptr %3, align 4
  br label %32

32:
  %33 = load i32, ptr %3, align 4
  ret i32 %33
}

define dso_local i32 @decompress_text(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca [1200 x i8], align 16
  store i32 %0, ptr %2, align 4
  store i32 256, ptr %3, align 4
  %9 = load i16, ptr @codes, align 16
  %10 = sext i16 %9 to i32
  %11 = call i32 @expand(i32 noundef %10, ptr noundef @unpacked)
  store i32 %11, ptr %4, align 4
  store i32 1, ptr %5, align 4
  br label %12

12:
  %13 = load i32, ptr %5, align 4
  %14 = load i32, ptr %2, align 4
  %15 = icmp slt i32 %13, %14
  br i1 %15, label %16, label %60

16:
  %17 = load i32, ptr %5, align 4
  %18 = sub nsw i32 %17, 1
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [1200 x i16], ptr @codes, i64 0, i64 %19
  %21 = load i16, ptr %20, align 2
  %22 = sext i16 %21 to i32
  store i32 %22, ptr %6, align 4
  %23 = load i32, ptr %5, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [1200 x i16], ptr @codes, i64 0, i64 %24
  %26 = load i16, ptr %25, align 2
  %27 = sext i16 %26 to i32
  store i32 %27, ptr %7, align 4
  %28 = load i32, ptr %7, align 4
  %29 = load i32, ptr %3, align 4
  %30 = icmp slt i32 %28, %29
  br i1 %30, label %31, label %33

31:
  %32 = load i32, ptr %7, align 4
  br label %35

33:
  %34 = load i32, ptr %6, align 4
  br label %35

35:
  %36 = phi i32 [ %32, %31 ], [ %34, %33 ]
  %37 = getelementptr inbounds [1200 x i8], ptr %8, i64 0, i64 0
  %38 = call i32 @expand(i32 noundef %36, ptr noundef %37)
  %39 = load i32, ptr %6, align 4
  %40 = trunc i32 %39 to i16
  %41 = load i32, ptr %3, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [4096 x i16], ptr @prefix, i64 0, i64 %42
  store i16 %40, ptr %43, align 2
  %44 = getelementptr inbounds [1200 x i8], ptr %8, i64 0, i64 0
  %45 = load i8, ptr %44, align 16
  %46 = load i32, ptr %3, align 4
  %47 = add nsw i32 %46, 1
  store i32 %47, ptr %3, align 4
  %48 = sext i32 %46 to i64
  %49 = getelementptr inbounds [4096 x i8], ptr @last, i64 0, i64 %48
  store i8 %45, ptr %49, align 1
  %50 = load i32, ptr %7, align 4
  %51 = load i32, ptr %4, align 4
  %52 = sext i32 %51 to i64
  %53 = getelementptr inbounds i8, ptr @unpacked, i64 %52
  %54 = call i32 @expand(i32 noundef %50, ptr noundef %53)
  %55 = load i32, ptr %4, align 4
  %56 = add nsw i32 %55, %54
  store i32 %56, ptr %4, align 4
  br label %57

57:
  %58 = load i32, ptr %5, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %5, align 4
  br label %12, !llvm.loop !7

60:
  %61 = load i32, ptr %4, align 4
  ret i32 %61
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
  store i32 0, ptr %1, align 4
  store i32 17, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %10

10:
  %11 = load i32, ptr %3, align 4
  %12 = icmp slt i32 %11, 1200
  br i1 %12, label %13, label %34

13:
  %14 = load i32, ptr %2, align 4
  %15 = mul i32 %14, 69069
  %16 = add i32 %15, 1
  store i32 %16, ptr %2, align 4
  %17 = load i32, ptr %3, align 4
  %18 = load i32, ptr %2, align 4
  %19 = lshr i32 %18, 29
  %20 = icmp eq i32 %19, 0
  %21 = zext i1 %20 to i64
  %22 = select i1 %20, i32 3, i32 0
  %23 = add nsw i32 %17, %22
  %24 = srem i32 %23, 23
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [24 x i8], ptr @.str, i64 0, i64 %25
  %27 = load i8, ptr %26, align 1
  %28 = load i32, ptr %3, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [1200 x i8], ptr @text, i64 0, i64 %29
  store i8 %27, ptr %30, align 1
  br label %31

31:
  %32 = load i32, ptr %3, align 4
  %33 = add nsw i32 %32, 1
  store i32 %33, ptr %3, align 4
  br label %10, !llvm.loop !8

34:
  %35 = call i32 @compress_text()
  store i32 %35, ptr %4, align 4
  %36 = load i32, ptr %4, align 4
  %37 = call i32 @decompress_text(i32 noundef %36)
  store i32 %37, ptr %5, align 4
  %38 = load i32, ptr %5, align 4
  %39 = icmp ne i32 %38, 1200
  %40 = zext i1 %39 to i32
  store i32 %40, ptr %6, align 4
  store i32 0, ptr %7, align 4
  store i32 0, ptr %8, align 4
  br label %41

41:
  %42 = load i32, ptr %8, align 4
  %43 = icmp slt i32 %42, 1200
  br i1 %43, label %44, label %62

44:
  %45 = load i32, ptr %8, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [1200 x i8], ptr @text, i64 0, i64 %46
  %48 = load i8, ptr %47, align 1
  %49 = zext i8 %48 to i32
  %50 = load i32, ptr %8, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [1216 x i8], ptr @unpacked, i64 0, i64 %51
  %53 = load i8, ptr %52, align 1
  %54 = zext i8 %53 to i32
  %55 = icmp ne i32 %49, %54
  %56 = zext i1 %55 to i32
  %57 = load i32, ptr %6, align 4
  %58 = add nsw i32 %57, %56
  store i32 %58, ptr %6, align 4
  br label %59

59:
  %60 = load i32, ptr %8, align 4
  %61 = add nsw i32 %60, 1
  store i32 %61, ptr %8, align 4
  br label %41, !llvm.loop !9

62:
  store i32 0, ptr %9, align 4
  br label %63

63:
  %64 = load i32, ptr %9, align 4
  %65 = load i32, ptr %4, align 4
  %66 = icmp slt i32 %64, %65
  br i1 %66, label %67, label %80

67:
  %68 = load i32, ptr %7, align 4
  %69 = mul nsw i32 %68, 31
  %70 = load i32, ptr %9, align 4
  %71 = sext i32 %70 to i64
  %72 = getelementptr inbounds [1200 x i16], ptr @codes, i64 0, i64 %71
  %73 = load i16, ptr %72, align 2
  %74 = sext i16 %73 to i32
  %75 = add nsw i32 %69, %74
  %76 = and i32 %75, 16777215
  store i32 %76, ptr %7, align 4
  br label %77

77:
  %78 = load i32, ptr %9, align 4
  %79 = add nsw i32 %78, 1
  store i32 %79, ptr %9, align 4
  br label %63, !llvm.loop !10

80:
  %81 = load i32, ptr %4, align 4
  %82 = load i32, ptr %7, align 4
  %83 = load i32, ptr %6, align 4
  %84 = call i32 (ptr, ...) @printf(ptr noundef @.str.1, i32 noundef %81, i32 noundef %82, i32 noundef %83)
  %85 = load i32, ptr %6, align 4
  %86 = icmp ne i32 %85, 0
  %87 = zext i1 %86 to i32
  ret i32 %87
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
