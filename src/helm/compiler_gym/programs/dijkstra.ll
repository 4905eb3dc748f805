source_filename = "dijkstra.c"

%struct.entry = type { i32, i32 }

@heap_size = internal global i32 0, align 4
@heap = internal global [2048 x %struct.entry] zeroinitializer, align 16
@distance = internal global [256 x i32] zeroinitializer, align 16
@previous = internal global [256 x i32] zeroinitializer, align 16
@weight = internal global [256 x i32] zeroinitializer, align 16
@check = internal global [256 x i32] zeroinitializer, align 16
@.str = private unnamed_addr constant [10 x i8] c"%d %d %d\0A\00", align 1

define dso_local void @push(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %7 = load i32, ptr @heap_size, align 4
  %8 = add nsw i32 %7, 1
  store i32 %8, ptr @heap_size, align 4
  store i32 %7, ptr %5, align 4
  br label %9

9:
  %10 = load i32, ptr %5, align 4
  %11 = icmp sgt i32 %10, 0
  br i1 %11, label %12, label %32

12:
  %13 = load i32, ptr %5, align 4
  %14 = sub nsw i32 %13, 1
  %15 = sdiv i32 %14, 2
  store i32 %15, ptr %6, align 4
  %16 = load i32, ptr %6, align 4
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %17
  %19 = getelementptr inbounds nuw %struct.entry, ptr %18, i32 0, i32 1
  %20 = load i32, ptr %19, align 4
  %21 = load i32, ptr %4, align 4
  %22 = icmp sle i32 %20, %21
  br i1 %22, label %23, label %24

23:
  br label %32

24:
  %25 = load i32, ptr %5, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %26
  %28 = load i32, ptr %6, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %29
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %27, ptr align 8 %30, i64 8, i1 false)
  %31 = load i32, ptr %6, align 4
  store i32 %31, ptr %5, align 4
  br label %9, !llvm.loop !4

32:
  %33 = load i32, ptr %3, align 4
  %34 = load i32, ptr %5, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %35
  %37 = getelementptr inbounds nuw %struct.entry, ptr %36, i32 0, i32 0
  store i32 %33, ptr %37, align 8
  %38 = load i32, ptr %4, align 4
  %39 = load i32, ptr %5, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %40
  %42 = getelementptr inbounds nuw %struct.entry, ptr %41, i32 0, i32 1
  store i32 %38, ptr %42, align 4
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

define dso_local i64 @pop() #0 {
  %1 = alloca %struct.entry, align 4
  %2 = alloca %struct.entry, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %1, ptr align 16 @heap, i64 8, i1 false)
  %5 = load i32, ptr @heap_size, align 4
  %6 = add nsw i32 %5, -1
  store i32 %6, ptr @heap_size, align 4
  %7 = sext i32 %6 to i64
  %8 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %7
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %2, ptr align 8 %8, i64 8, i1 false)
  store i32 0, ptr %3, align 4
  br label %9

9:
  %10 = load i32, ptr %3, align 4
  %11 = mul nsw i32 2, %10
  %12 = add nsw i32 %11, 1
  store i32 %12, ptr %4, align 4
  %13 = load i32, ptr %4, align 4
  %14 = load i32, ptr @heap_size, align 4
  %15 = icmp sge i32 %13, %14
  br i1 %15, label %16, label %17

16:
  br label %56

17:
  %18 = load i32, ptr %4, align 4
  %19 = add nsw i32 %18, 1
  %20 = load i32, ptr @heap_size, align 4
  %21 = icmp slt i32 %19, %20
  br i1 %21, label %22, label %38

22:
  %23 = load i32, ptr %4, align 4
  %24 = add nsw i32 %23, 1
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %25
  %27 = getelementptr inbounds nuw %struct.entry, ptr %26, i32 0, i32 1
  %28 = load i32, ptr %27, align 4
  %29 = load i32, ptr %4, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %30
  %32 = getelementptr inbounds nuw %struct.entry, ptr %31, i32 0, i32 1
  %33 = load i32, ptr %32, align 4
  %34 = icmp slt i32 %28, %33
  br i1 %34, label %35, label %38

35:
  %36 = load i32, ptr %4, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %4, align 4
  br label %38

38:
  %39 = getelementptr inbounds nuw %struct.entry, ptr %2, i32 0, i32 1
  %40 = load i32, ptr %39, align 4
  %41 = load i32, ptr %4, align 4
  %42 = sext i32 %41 to i64
  %43 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %42
  %44 = getelementptr inbounds nuw %struct.entry, ptr %43, i32 0, i32 1
  %45 = load i32, ptr %44, align 4
  %46 = icmp sle i32 %40, %45
  br i1 %46, label %47, label %48

47:
  br label %56

48:
  %49 = load i32, ptr %3, align 4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %50
  %52 = load i32, ptr %4, align 4
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %53
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %51, ptr align 8 %54, i64 8, i1 false)
  %55 = load i32, ptr %4, align 4
  store i32 %55, ptr %3, align 4
  br label %9

56:
  %57 = load i32, ptr %3, align 4
  %58 = sext i32 %57 to i64
  %59 = getelementptr inbounds [2048 x %struct.entry], ptr @heap, i64 0, i64 %58
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %59, ptr align 4 %2, i64 8, i1 false)
  %60 = load i64, ptr %1, align 4
  ret i64 %60
}

define dso_local i32 @neighbour(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  %8 = load i32, ptr %4, align 4
  %9 = srem i32 %8, 16
  store i32 %9, ptr %6, align 4
  %10 = load i32, ptr %4, align 4
  %11 = sdiv i32 %10, 16
  store i32 %11, ptr %7, align 4
  %12 = load i32, ptr %5, align 4
  switch i32 %12, label %42 [
    i32 0, label %13
    i32 1, label %23
    i32 2, label %32
  ]

13:
  %14 = load i32, ptr %6, align 4
  %15 = add nsw i32 %14, 1
  %16 = icmp slt i32 %15, 16
  br i1 %16, label %17, label %20

17:
  %18 = load i32, ptr %4, align 4
  %19 = add nsw i32 %18, 1
  br label %21

20:
  br label %21

21:
  %22 = phi i32 [ %19, %17 ], [ -1, %20 ]
  store i32 %22, ptr %3, align 4
  br label %51

23:
  %24 = load i32, ptr %6, align 4
  %25 = icmp sgt i32 %24, 0
  br i1 %25, label %26, label %29

26:
  %27 = load i32, ptr %4, align 4
  %28 = sub nsw i32 %27, 1
  br label %30

29:
  br label %30

30:
  %31 = phi i32 [ %28, %26 ], [ -1, %29 ]
  store i32 %31, ptr %3, align 4
  br label %51

32:
  %33 = load i32, ptr %7, align 4
  %34 = add nsw i32 %33, 1
  %35 = icmp slt i32 %34, 16
  br i1 %35, label %36, label %39

36:
  %37 = load i32, ptr %4, align 4
  %38 = add nsw i32 %37, 16
  br label %40

39:
  br label %40

40:
  %41 = phi i32 [ %38, %36 ], [ -1, %39 ]
  store i32 %41, ptr %3, align 4
  br label %51

42:
  %43 = load i32, ptr %7, align 4
  %44 = icmp sgt i32 %43, 0
  br i1 %44, label %45, label %48

45:
  %46 = load i32, ptr %4, align 4
  %47 = sub nsw i32 %46, 16
  br label %49

48:
  br label %49

49:
  %50 = phi i32 [ %47, %45 ], [ -1, %48 ]
  store i32 %50, ptr %3, align 4
  br label %51

51:
  %52 = load i32, ptr %3, align 4
  ret i32 %52
}

define dso_local void @dijkstra(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca %struct.entry, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %8

8:
  %9 = load i32, ptr %3, align 4
  %10 = icmp slt i32 %9, 256
  br i1 %10, label %11, label %21

11:
  %12 = load i32, ptr %3, align 4
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds [256 x i32], ptr @distance, i64 0, i64 %13
  store i32 1000000, ptr %14, align 4
  %15 = load i32, ptr %3, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [256 x i32], ptr @previous, i64 0, i64 %16
  store i32 -1, ptr %17, align 4
  br label %18

18:
  %19 = load i32, ptr %3, align 4
  %20 = add nsw i32 %19, 1
  store i32 %20, ptr %3, align 4
  br label %8, !llvm.loop !6

21:
  %22 = load i32, ptr %2, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [256 x i32], ptr @distance, i64 0, i64 %23
  store i32 0, ptr %24, align 4
  %25 = load i32, ptr %2, align 4
  call void @push(i32 noundef %25, i32 noundef 0)
  br label %26

26:
  %27 = load i32, ptr @heap_size, align 4
  %28 = icmp ne i32 %27, 0
  br i1 %28, label %29, label %83

29:
  %30 = call i64 @pop()
  store i64 %30, ptr %4, align 4
  %31 = getelementptr inbounds nuw %struct.entry, ptr %4, i32 0, i32 1
  %32 = load i32, ptr %31, align 4
  %33 = getelementptr inbounds nuw %struct.entry, ptr %4, i32 0, i32 0
  %34 = load i32, ptr %33, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [256 x i32], ptr @distance, i64 0, i64 %35
  %37 = load i32, ptr %36, align 4
  %38 = icmp sgt i32 %32, %37
  br i1 %38, label %39, label %40

39:
  br label %26, !llvm.loop !7

40:
  store i32 0, ptr %5, align 4
  br label %41

41:
  %42 = load i32, ptr %5, align 4
  %43 = icmp slt i32 %42, 4
  br i1 %43, label %44, label %82

44:
  %45 = getelementptr inbounds nuw %struct.entry, ptr %4, i32 0, i32 0
  %46 = load i32, ptr %45, align 4
  %47 = load i32, ptr %5, align 4
  %48 = call i32 @neighbour(i32 noundef %46, i32 noundef %47)
  store i32 %48, ptr %6, align 4
  %49 = load i32, ptr %6, align 4
  %50 = icmp slt i32 %49, 0
  br i1 %50, label %51, label %52

51:
  br label %79

52:
  %53 = getelementptr inbounds nuw %struct.entry, ptr %4, i32 0, i32 1
  %54 = load i32, ptr %53, align 4
  %55 = load i32, ptr %6, align 4
  %56 = sext i32 %55 to i64
  %57 = getelementptr inbounds [256 x i32], ptr @weight, i64 0, i64 %56
  %58 = load i32, ptr %57, align 4
  %59 = add nsw i32 %54, %58
  store i32 %59, ptr %7, align 4
  %60 = load i32, ptr %7, align 4
  %61 = load i32, ptr %6, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [256 x i32], ptr @distance, i64 0, i64 %62
  %64 = load i32, ptr %63, align 4
  %65 = icmp slt i32 %60, %64
  br i1 %65, label %66, label %78

66:
  %67 = load i32, ptr %7, align 4
  %68 = load i32, ptr %6, align 4
  %69 = sext i32 %68 to i64
  %70 = getelementptr inbounds [256 x i32], ptr @distance, i64 0, i64 %69
  store i32 %67, ptr %70, align 4
  %71 = getelementptr inbounds nuw %struct.entry, ptr %4, i32 0, i32 0
  %72 = load i32, ptr %71, align 4
  %73 = load i32, ptr %6, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [256 x i32], ptr @previous, i64 0, i64 %74
  store i32 %72, ptr %75, align 4
  %76 = load i32, ptr %6, align 4
  %77 = load i32, ptr %7, align 4
  call void @push(i32 noundef %76, i32 noundef %77)
  br label %78

78:
  br label %79

79:
  %80 = load i32, ptr %5, align 4
  %81 = add nsw i32 %80, 1
  store i32 %81, ptr %5, align 4
  br label %41, !llvm.loop !8

82:
  br label %26, !llvm.loop !7

83:
  ret void
}

define dso_local i32 @relax_all() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  br label %5

5:
  %6 = load i32, ptr %2, align 4
  %7 = icmp slt i32 %6, 256
  br i1 %7, label %8, label %54

8:
  store i32 0, ptr %3, align 4
  br label %9

9:
  %10 = load i32, ptr %3, align 4
  %11 = icmp slt i32 %10, 4
  br i1 %11, label %12, label %50

12:
  %13 = load i32, ptr %2, align 4
  %14 = load i32, ptr %3, align 4
  %15 = call i32 @neighbour(i32 noundef %13, i32 noundef %14)
  store i32 %15, ptr %4, align 4
  %16 = load i32, ptr %4, align 4
  %17 = icmp sge i32 %16, 0
  br i1 %17, label %18, label %46

18:
  %19 = load i32, ptr %2, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [256 x i32], ptr @check, i64 0, i64 %20
  %22 = load i32, ptr %21, align 4
  %23 = load i32, ptr %4, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [256 x i32], ptr @weight, i64 0, i64 %24
  %26 = load i32, ptr %25, align 4
  %27 = add nsw i32 %22, %26
  %28 = load i32, ptr %4, align 4
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [256 x i32], ptr @check, i64 0, i64 %29
  %31 = load i32, ptr %30, align 4
  %32 = icmp slt i32 %27, %31
  br i1 %32, label %33, label %46

33:
  %34 = load i32, ptr %2, align 4
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds [256 x i32], ptr @check, i64 0, i64 %35
  %37 = load i32, ptr %36, align 4
  %38 = load i32, ptr %4, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [256 x i32], ptr @weight, i64 0, i64 %39
  %41 = load i32, ptr %40, align 4
  %42 = add nsw i32 %37, %41
  %43 = load i32, ptr %4, align 4
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [256 x i32], ptr @check, i64 0, i64 %44
  store i32 %42, ptr %45, align 4
  store i32 1, ptr %1, align 4
  br label %46

46:
  br label %47

47:
  %48 = load i32, ptr %3, align 4
  %49 = add nsw i32 %48, 1
  store i32 %49, ptr %3, align 4
  br label %9, !llvm.loop !9

50:
  br label %51

51:
  %52 = load i32, ptr %2, align 4
  %53 = add nsw i32 %52, 1
  store i32 %53, ptr %2, align 4
  br label %5, !llvm.loop !10

54:
  %55 = load i32, ptr %1, align 4
  ret i32 %55
}

define dso_local i32 @main() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 7, ptr %2, align 4
  store i32 0, ptr %3, align 4
  br label %8

8:
  %9 = load i32, ptr %3, align 4
  %10 = icmp slt i32 %9, 256
  br i1 %10, label %11, label %28

11:
  %12 = load i32, ptr %2, align 4
  %13 = mul i32 %12, 69069
  %14 = add i32 %13, 1
  store i32 %14, ptr %2, align 4
  %15 = load i32, ptr %2, align 4
  %16 = lshr i32 %15, 16
  %17 = urem i32 %16, 9
  %18 = add i32 1, %17
  %19 = load i32, ptr %3, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [256 x i32], ptr @weight, i64 0, i64 %20
  store i32 %18, ptr %21, align 4
  %22 = load i32, ptr %3, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [256 x i32], ptr @check, i64 0, i64 %23
  store i32 1000000, ptr %24, align 4
  br label %25

25:
  %26 = load i32, ptr %3, align 4
  %27 = add nsw i32 %26, 1
  store i32 %27, ptr %3, align 4
  br label %8, !llvm.loop !11

28:
  call void @dijkstra(i32 noundef 0)
  store i32 0, ptr @check, align 16
  br label %29

29:
  %30 = call i32 @relax_all()
  %31 = icmp ne i32 %30, 0
  br i1 %31, label %32, label %33

32:
  br label %29, !llvm.loop !12

33:
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 0, ptr %6, align 4
  br label %34

34:
  %35 = load i32, ptr %6, align 4
  %36 = icmp slt i32 %35, 256
  br i1 %36, label %37, label %53

37:
  %38 = load i32, ptr %6, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds [256 x i32], ptr @distance, i64 0, i64 %39
  %41 = load i32, ptr %40, align 4
  %42 = load i32, ptr %6, align 4
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds [256 x i32], ptr @check, i64 0, i64 %43
  %45 = load i32, ptr %44, align 4
  %46 = icmp ne i32 %41, %45
  %47 = zext i1 %46 to i32
  %48 = load i32, ptr %4, align 4
  %49 = add nsw i32 %48, %47
  store i32 %49, ptr %4, align 4
  br label %50

50:
  %51 = load i32, ptr %6, align 4
  %52 = add nsw i32 %51, 1
  store i32 %52, ptr %6, align 4
  br label %34, !llvm.loop !13

53:
  store i32 255, ptr %7, align 4
  br label %54

54:
  %55 = load i32, ptr %7, align 4
  %56 = icmp ne i32 %55, 0
  br i1 %56, label %57, label %65

57:
  %58 = load i32, ptr %5, align 4
  %59 = add nsw i32 %58, 1
  store i32 %59, ptr %5, align 4
  br label %60

60:
  %61 = load i32, ptr %7, align 4
  %62 = sext i32 %61 to i64
  %63 = getelementptr inbounds [256 x i32], ptr @previous, i64 0, i64 %62
  %64 = load i32, ptr %63, align 4
  store i32 %64, ptr %7, align 4
  br label %54, !llvm.loop !14

65:
  %66 = load i32, ptr getelementptr inbounds ([256 x i32], ptr @distance, i64 0, i64 255), align 4
  %67 = load i32, ptr %5, align 4
  %68 = load i32, ptr %4, align 4
  %69 = call i32 (ptr, ...) @printf(ptr noundef @.str, i32 noundef %66, i32 noundef %67, i32 noundef %68)
  %70 = load i32, ptr %4, align 4
  ret i32 %70
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
!13 = distinct !{!13, !5}
!14 = distinct !{!14, !5}
