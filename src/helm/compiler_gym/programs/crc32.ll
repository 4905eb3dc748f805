source_filename = "crc32.c"

@table = internal global [256 x i32] zeroinitializer, align 16
@crc_by_nibbles.half = internal constant [16 x i32] [i32 0, i32 498536548, i32 997073096, i32 651767980, i32 1994146192, i32 1802195444, i32 1303535960, i32 1342533948, i32 -306674912, i32 -267414716, i32 -690576408, i32 -882789492, i32 -1687895376, i32 -2032938284, i32 -1609899400, i32 -1111625188], align 16
@message = internal global [1024 x i8] zeroinitializer, align 16
@.str = private unnamed_addr constant [9 x i8] c"%08x %d\0A\00", align 1

define dso_local void @make_table() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  br label %4

4:
  %5 = load i32, ptr %1, align 4
  %6 = icmp ult i32 %5, 256
  br i1 %6, label %7, label %36

7:
  %8 = load i32, ptr %1, align 4
  store i32 %8, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %9

9:
  %10 = load i32, ptr %3, align 4
  %11 = icmp slt i32 %10, 8
  br i1 %11, label %12, label %28

12:
  %13 = load i32, ptr %2, align 4
  %14 = and i32 %13, 1
  %15 = icmp ne i32 %14, 0
  br i1 %15, label %16, label %20

16:
  %17 = load i32, ptr %2, align 4
  %18 = lshr i32 %17, 1
  %19 = xor i32 %18, -306674912
  br label %23

20:
  %21 = load i32, ptr %2, align 4
  %22 = lshr i32 %21, 1
  br label %23

23:
  %24 = phi i32 [ %19, %16 ], [ %22, %20 ]
  store i32 %24, ptr %2, align 4
  br label %25

25:
  %26 = load i32, ptr %3, align 4
  %27 = add nsw i32 %26, 1
  store i32 %27, ptr %3, align 4
  br label %9, !llvm.loop !4

28:
  %29 = load i32, ptr %2, align 4
  %30 = load i32, ptr %1, align 4
  %31 = zext i32 %30 to i64
  %32 = getelementptr inbounds nuw [256 x i32], ptr @table, i64 0, i64 %31
  store i32 %29, ptr %32, align 4
  br label %33

33:
  %34 = load i32, ptr %1, align 4
  %35 = add i32 %34, 1
  store i32 %35, ptr %1, align 4
  br label %4, !llvm.loop !6

36:
  ret void
}

define dso_local i32 @crc_by_table(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 -1, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %7

7:
  %8 = load i32, ptr %6, align 4
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %8, %9
  br i1 %10, label %11, label %30

11:
  %12 = load i32, ptr %5, align 4
  %13 = load ptr, ptr %3, align 8
  %14 = load i32, ptr %6, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds i8, ptr %13, i64 %15
  %17 = load i8, ptr %16, align 1
  %18 = zext i8 %17 to i32
  %19 = xor i32 %12, %18
  %20 = and i32 %19, 255
  %21 = zext i32 %20 to i64
  %22 = getelementptr inbounds nuw [256 x i32], ptr @table, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4
  %24 = load i32, ptr %5, align 4
  %25 = lshr i32 %24, 8
  %26 = xor i32 %23, %25
  store i32 %26, ptr %5, align 4
  br label %27

27:
  %28 = load i32, ptr %6, align 4
  %29 = add nsw i32 %28, 1
  store i32 %29, ptr %6, align 4
  br label %7, !llvm.loop !7

30:
  %31 = load i32, ptr %5, align 4
  %32 = xor i32 %31, -1
  ret i32 %32
}

define dso_local i32 @crc_by_bits(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 -1, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %9

9:
  %10 = load i32, ptr %6, align 4
  %11 = load i32, ptr %4, align 4
  %12 = icmp slt i32 %10, %11
  br i1 %12, label %13, label %41

13:
  %14 = load ptr, ptr %3, align 8
  %15 = load i32, ptr %6, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds i8, ptr %14, i64 %16
  %18 = load i8, ptr %17, align 1
  %19 = zext i8 %18 to i32
  %20 = load i32, ptr %5, align 4
  %21 = xor i32 %20, %19
  store i32 %21, ptr %5, align 4
  store i32 0, ptr %7, align 4
  br label %22

22:
  %23 = load i32, ptr %7, align 4
  %24 = icmp slt i32 %23, 8
  br i1 %24, label %25, label %37

25:
  %26 = load i32, ptr %5, align 4
  %27 = and i32 %26, 1
  %28 = sub i32 0, %27
  store i32 %28, ptr %8, align 4
  %29 = load i32, ptr %5, align 4
  %30 = lshr i32 %29, 1
  %31 = load i32, ptr %8, align 4
  %32 = and i32 -306674912, %31
  %33 = xor i32 %30, %32
  store i32 %33, ptr %5, align 4
  br label %34

34:
  %35 = load i32, ptr %7, align 4
  %36 = add nsw i32 %35, 1
  store i32 %36, ptr %7, align 4
  br label %22, !llvm.loop !8

37:
  br label %38

38:
  %39 = load i32, ptr %6, align 4
  %40 = add nsw i32 %39, 1
  store i32 %40, ptr %6, align 4
  br label %9, !llvm.loop !9

41:
  %42 = load i32, ptr %5, align 4
  %43 = xor i32 %42, -1
  ret i32 %43
}

define dso_local i32 @crc_by_nibbles(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store i32 %1, ptr %4, align 4
  store i32 -1, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %7

7:
  %8 = load i32, ptr %6, align 4
  %9 = load i32, ptr %4, align 4
  %10 = icmp slt i32 %8, %9
  br i1 %10, label %11, label %46

11:
  %12 = load i32, ptr %5, align 4
  %13 = load ptr, ptr %3, align 8
  %14 = load i32, ptr %6, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds i8, ptr %13, i64 %15
  %17 = load i8, ptr %16, align 1
  %18 = zext i8 %17 to i32
  %19 = xor i32 %12, %18
  %20 = and i32 %19, 15
  %21 = zext i32 %20 to i64
  %22 = getelementptr inbounds nuw [16 x i32], ptr @crc_by_nibbles.half, i64 0, i64 %21
  %23 = load i32, ptr %22, align 4
  %24 = load i32, ptr %5, align 4
  %25 = lshr i32 %24, 4
  %26 = xor i32 %23, %25
  store i32 %26, ptr %5, align 4
  %27 = load i32, ptr %5, align 4
  %28 = load ptr, ptr %3, align 8
  %29 = load i32, ptr %6, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds i8, ptr %28, i64 %30
  %32 = load i8, ptr %31, align 1
  %33 = zext i8 %32 to i32
  %34 = ashr i32 %33, 4
  %35 = xor i32 %27, %34
  %36 = and i32 %35, 15
  %37 = zext i32 %36 to i64
  %38 = getelementptr inbounds nuw [16 x i32], ptr @crc_by_nibbles.half, i64 0, i64 %37
  %39 = load i32, ptr %38, align 4
  %40 = load i32, ptr %5, align 4
  %41 = lshr i32 %40, 4
  %42 = xor i32 %39, %41
  store i32 %42, ptr %5, align 4
  br label %43

43:
  %44 = load i32, ptr %6, align 4
  %45 = add nsw i32 %44, 1
  store i32 %45, ptr %6, align 4
  br label %7, !llvm.loop !10

46:
  %47 = load i32, ptr %5, align 4
  %48 = xor i32 %47, -1
  ret i32 %48
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 12345, ptr %2, align 4
  call void @make_table()
  store i32 0, ptr %3, align 4
  br label %7

7:
  %8 = load i32, ptr %3, align 4
  %9 = icmp slt i32 %8, 1024
  br i1 %9, label %10, label %23

10:
  %11 = load i32, ptr %2, align 4
  %12 = mul i32 %11, 1103515245
  %13 = add i32 %12, 12345
  store i32 %13, ptr %2, align 4
  %14 = load i32, ptr %2, align 4
  %15 = lshr i32 %14, 16
  %16 = trunc i32 %15 to i8
  %17 = load i32, ptr %3, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [1024 x i8], ptr @message, i64 0, i64 %18
  store i8 %16, ptr %19, align 1
  br label %20

20:
  %21 = load i32, ptr %3, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr %3, align 4
  br label %7, !llvm.loop !11

23:
  %24 = call i32 @crc_by_table(ptr noundef @message, i32 noundef 1024)
  store i32 %24, ptr %4, align 4
  %25 = call i32 @crc_by_bits(ptr noundef @message, i32 noundef 1024)
  store i32 %25, ptr %5, align 4
  %26 = call i32 @crc_by_nibbles(ptr noundef @message, i32 noundef 1024)
  store i32 %26, ptr %6, align 4
  %27 = load i32, ptr %4, align 4
  %28 = load i32, ptr %4, align 4
  %29 = load i32, ptr %5, align 4
  %30 = icmp eq i32 %28, %29
  br i1 %30, label %31, label %35

31:
  %32 = load i32, ptr %5, align 4
  %33 = load i32, ptr %6, align 4
  %34 = icmp eq i32 %32, %33
  br label %35

35:
  %36 = phi i1 [ false, %23 ], [ %34, %31 ]
  %37 = zext i1 %36 to i32
  %38 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %27, i32 noundef %37)
  %39 = load i32, ptr %4, align 4
  %40 = load i32, ptr %5, align 4
  %41 = icmp eq i32 %39, %40
  br i1 %41, label %42, label %46

42:
  %43 = load i32, ptr %5, align 4
  %44 = load i32, ptr %6, align 4
  %45 = icmp eq i32 %43, %44
  br label %46

46:
  %47 = phi i1 [ false, %35 ], [ %45, %42 ]
  %48 = zext i1 %47 to i64
  %49 = select i1 %47, i32 0, i32 1
  ret i32 %49
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
