source_filename = "trees.c"

%struct.node = type { i32, i32, i32, i32 }

@treap = internal global [256 x %struct.node] zeroinitializer, align 16
@num_treap = internal global i32 0, align 4
@avl = internal global [256 x %struct.node] zeroinitializer, align 16
@num_avl = internal global i32 0, align 4
@children = internal global [400 x [26 x i32]] zeroinitializer, align 16
@num_trie = internal global i32 1, align 4
@ends = internal global [400 x i32] zeroinitializer, align 16
@main.words = internal constant [9 x ptr] [ptr @.str, ptr @.str.1, ptr @.str.2, ptr @.str.3, ptr @.str.4, ptr @.str.5, ptr @.str.1, ptr @.str.6, ptr @.str.7], align 16
@.str = private unnamed_addr constant [7 x i8] c"inline\00", align 1
@.str.1 = private unnamed_addr constant [3 x i8] c"in\00", align 1
@.str.2 = private unnamed_addr constant [12 x i8] c"instruction\00", align 1
@.str.3 = private unnamed_addr constant [5 x i8] c"loop\00", align 1
@.str.4 = private unnamed_addr constant [6 x i8] c"loops\00", align 1
@.str.5 = private unnamed_addr constant [6 x i8] c"lower\00", align 1
@.str.6 = private unnamed_addr constant [5 x i8] c"sink\00", align 1
@.str.7 = private unnamed_addr constant [5 x i8] c"sccp\00", align 1
@main.first = internal global [256 x i32] zeroinitializer, align 16
@main.second = internal global [256 x i32] zeroinitializer, align 16
@.str.8 = private unnamed_addr constant [19 x i8] c"%d %d %d %d %d %d\0A\00", align 1

define dso_local i32 @rotate_treap(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  store i32 %0, ptr %3, align 4
  store i32 %1, ptr %4, align 4
  %6 = load i32, ptr %4, align 4
  %7 = icmp ne i32 %6, 0
  br i1 %7, label %8, label %14

8:
  %9 = load i32, ptr %3, align 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %10
  %12 = getelementptr inbounds nuw %struct.node, ptr %11, i32 0, i32 2
  %13 = load i32, ptr %12, align 8
  br label %20

14:
  %15 = load i32, ptr %3, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %16
  %18 = getelementptr inbounds nuw %struct.node, ptr %17, i32 0, i32 3
  %19 = load i32, ptr %18, align 4
  br label %20

20:
  %21 = phi i32 [ %13, %8 ], [ %19, %14 ]
  store i32 %21, ptr %5, align 4
  %22 = load i32, ptr %4, align 4
  %23 = icmp ne i32 %22, 0
  br i1 %23, label %24, label %39

24:
  %25 = load i32, ptr %5, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %26
  %28 = getelementptr inbounds nuw %struct.node, ptr %27, i32 0, i32 3
  %29 = load i32, ptr %28, align 4
  %30 = load i32, ptr %3, align 4
  %31 = sext i32 %30 to i64
  %32 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %31
  %33 = getelementptr inbounds nuw %struct.node, ptr %32, i32 0, i32 2
  store i32 %29, ptr %33, align 8
  %34 = load i32, ptr %3, align 4
  %35 = load i32, ptr %5, align 4
  %36 = sext i32 %35 to i64
  %37 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %36
  %38 = getelementptr inbounds nuw %struct.node, ptr %37, i32 0, i32 3
  store i32 %34, ptr %38, align 4
  br label %54

39:
  %40 = load i32, ptr %5, align 4
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %41
  %43 = getelementptr inbounds nuw %struct.node, ptr %42, i32 0, i32 2
  %44 = load i32, ptr %43, align 8
  %45 = load i32, ptr %3, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %46
  %48 = getelementptr inbounds nuw %struct.node, ptr %47, i32 0, i32 3
  store i32 %44, ptr %48, align 4
  %49 = load i32, ptr %3, align 4
  %50 = load i32, ptr %5, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %51
  %53 = getelementptr inbounds nuw %struct.node, ptr %52, i32 0, i32 2
  store i32 %49, ptr %53, align 8
  br label %54

54:
  %55 = load i32, ptr %5, align 4
  ret i32 %55
}

define dso_local i32 @insert_treap(i32 noundef %0, i32 noundef %1, i32 noundef %2) #0 {
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca %struct.node, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  store i32 %0, ptr %5, align 4
  store i32 %1, ptr %6, align 4
  store i32 %2, ptr %7, align 4
  %11 = load i32, ptr %5, align 4
  %12 = icmp ne i32 %11, 0
  br i1 %12, label %25, label %13

13:
  %14 = getelementptr inbounds nuw %struct.node, ptr %8, i32 0, i32 0
  %15 = load i32, ptr %6, align 4
  store i32 %15, ptr %14, align 4
  %16 = getelementptr inbounds nuw %struct.node, ptr %8, i32 0, i32 1
  %17 = load i32, ptr %7, align 4
  store i32 %17, ptr %16, align 4
  %18 = getelementptr inbounds nuw %struct.node, ptr %8, i32 0, i32 2
  store i32 0, ptr %18, align 4
  %19 = getelementptr inbounds nuw %struct.node, ptr %8, i32 0, i32 3
  store i32 0, ptr %19, align 4
  %20 = load i32, ptr @num_treap, align 4
  %21 = add nsw i32 %20, 1
  store i32 %21, ptr @num_treap, align 4
  %22 = sext i32 %21 to i64
  %23 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %22
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %23, ptr align 4 %8, i64 16, i1 false)
  %24 = load i32, ptr @num_treap, align 4
  store i32 %24, ptr %4, align 4
  br label %97

25:
  %26 = load i32, ptr %6, align 4
  %27 = load i32, ptr %5, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %28
  %30 = getelementptr inbounds nuw %struct.node, ptr %29, i32 0, i32 0
  %31 = load i32, ptr %30, align 16
  %32 = icmp eq i32 %26, %31
  br i1 %32, label %33, label %35

33:
  %34 = load i32, ptr %5, align 4
  store i32 %34, ptr %4, align 4
  br label %97

35:
  %36 = load i32, ptr %6, align 4
  %37 = load i32, ptr %5, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %38
  %40 = getelementptr inbounds nuw %struct.node, ptr %39, i32 0, i32 0
  %41 = load i32, ptr %40, align 16
  %42 = icmp slt i32 %36, %41
  %43 = zext i1 %42 to i32
  store i32 %43, ptr %9, align 4
  %44 = load i32, ptr %9, align 4
  %45 = icmp ne i32 %44, 0
  br i1 %45, label %46, label %52

46:
  %47 = load i32, ptr %5, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %48
  %50 = getelementptr inbounds nuw %struct.node, ptr %49, i32 0, i32 2
  %51 = load i32, ptr %50, align 8
  br label %58

52:
  %53 = load i32, ptr %5, align 4
  %54 = sext i32 %53 to i64
  %55 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %54
  %56 = getelementptr inbounds nuw %struct.node, ptr %55, i32 0, i32 3
  %57 = load i32, ptr %56, align 4
  br label %58

58:
  %59 = phi i32 [ %51, %46 ], [ %57, %52 ]
  %60 = load i32, ptr %6, align 4
  %61 = load i32, ptr %7, align 4
  %62 = call i32 @insert_treap(i32 noundef %59, i32 noundef %60, i32 noundef %61)
  store i32 %62, ptr %10, align 4
  %63 = load i32, ptr %9, align 4
  %64 = icmp ne i32 %63, 0
  br i1 %64, label %65, label %71

65:
  %66 = load i32, ptr %10, align 4
  %67 = load i32, ptr %5, align 4
  %68 = sext i32 %67 to i64
  %69 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %68
  %70 = getelementptr inbounds nuw %struct.node, ptr %69, i32 0, i32 2
  store i32 %66, ptr %70, align 8
  br label %77

71:
  %72 = load i32, ptr %10, align 4
  %73 = load i32, ptr %5, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %74
  %76 = getelementptr inbounds nuw %struct.node, ptr %75, i32 0, i32 3
  store i32 %72, ptr %76, align 4
  br label %77

77:
  %78 = load i32, ptr %10, align 4
  %79 = sext i32 %78 to i64
  %80 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %79
  %81 = getelementptr inbounds nuw %struct.node, ptr %80, i32 0, i32 1
  %82 = load i32, ptr %81, align 4
  %83 = load i32, ptr %5, align 4
  %84 = sext i32 %83 to i64
  %85 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %84
  %86 = getelementptr inbounds nuw %struct.node, ptr %85, i32 0, i32 1
  %87 = load i32, ptr %86, align 4
  %88 = icmp sgt i32 %82, %87
  br i1 %88, label %89, label %93

89:
  %90 = load i32, ptr %5, align 4
  %91 = load i32, ptr %9, align 4
  %92 = call i32 @rotate_treap(i32 noundef %90, i32 noundef %91)
  br label %95

93:
  %94 = load i32, ptr %5, align 4
  br label %95

95:
  %96 = phi i32 [ %92, %89 ], [ %94, %93 ]
  store i32 %96, ptr %4, align 4
  br label %97

97:
  %98 = load i32, ptr %4, align 4
  ret i32 %98
}

declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #1

define dso_local i32 @remove_treap(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  %9 = load i32, ptr %4, align 4
  %10 = icmp ne i32 %9, 0
  br i1 %10, label %12, label %11

11:
  store i32 0, ptr %3, align 4
  br label %118

12:
  %13 = load i32, ptr %4, align 4
  %14 = sext i32 %13 to i64
  %15 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %14
  store ptr %15, ptr %6, align 8
  %16 = load i32, ptr %5, align 4
  %17 = load ptr, ptr %6, align 8
  %18 = getelementptr inbounds nuw %struct.node, ptr %17, i32 0, i32 0
  %19 = load i32, ptr %18, align 4
  %20 = icmp slt i32 %16, %19
  br i1 %20, label %21, label %30

21:
  %22 = load ptr, ptr %6, align 8
  %23 = getelementptr inbounds nuw %struct.node, ptr %22, i32 0, i32 2
  %24 = load i32, ptr %23, align 4
  %25 = load i32, ptr %5, align 4
  %26 = call i32 @remove_treap(i32 noundef %24, i32 noundef %25)
  %27 = load ptr, ptr %6, align 8
  %28 = getelementptr inbounds nuw %struct.node, ptr %27, i32 0, i32 2
  store i32 %26, ptr %28, align 4
  %29 = load i32, ptr %4, align 4
  store i32 %29, ptr %3, align 4
  br label %118

30:
  %31 = load i32, ptr %5, align 4
  %32 = load ptr, ptr %6, align 8
  %33 = getelementptr inbounds nuw %struct.node, ptr %32, i32 0, i32 0
  %34 = load i32, ptr %33, align 4
  %35 = icmp sgt i32 %31, %34
  br i1 %35, label %36, label %45

36:
  %37 = load ptr, ptr %6, align 8
  %38 = getelementptr inbounds nuw %struct.node, ptr %37, i32 0, i32 3
  %39 = load i32, ptr %38, align 4
  %40 = load i32, ptr %5, align 4
  %41 = call i32 @remove_treap(i32 noundef %39, i32 noundef %40)
  %42 = load ptr, ptr %6, align 8
  %43 = getelementptr inbounds nuw %struct.node, ptr %42, i32 0, i32 3
  store i32 %41, ptr %43, align 4
  %44 = load i32, ptr %4, align 4
  store i32 %44, ptr %3, align 4
  br label %118

45:
  %46 = load ptr, ptr %6, align 8
  %47 = getelementptr inbounds nuw %struct.node, ptr %46, i32 0, i32 2
  %48 = load i32, ptr %47, align 4
  %49 = icmp ne i32 %48, 0
  br i1 %49, label %50, label %55

50:
  %51 = load ptr, ptr %6, align 8
  %52 = getelementptr inbounds nuw %struct.node, ptr %51, i32 0, i32 3
  %53 = load i32, ptr %52, align 4
  %54 = icmp ne i32 %53, 0
  br i1 %54, label %70, label %55

55:
  %56 = load ptr, ptr %6, align 8
  %57 = getelementptr inbounds nuw %struct.node, ptr %56, i32 0, i32 2
  %58 = load i32, ptr %57, align 4
  %59 = icmp ne i32 %58, 0
  br i1 %59, label %60, label %64

60:
  %61 = load ptr, ptr %6, align 8
  %62 = getelementptr inbounds nuw %struct.node, ptr %61, i32 0, i32 2
  %63 = load i32, ptr %62, align 4
  br label %68

64:
  %65 = load ptr, ptr %6, align 8
  %66 = getelementptr inbounds nuw %struct.node, ptr %65, i32 0, i32 3
  %67 = load i32, ptr %66, align 4
  br label %68

68:
  %69 = phi i32 [ %63, %60 ], [ %67, %64 ]
  store i32 %69, ptr %3, align 4
  br label %118

70:
  %71 = load ptr, ptr %6, align 8
  %72 = getelementptr inbounds nuw %struct.node, ptr %71, i32 0, i32 2
  %73 = load i32, ptr %72, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %74
  %76 = getelementptr inbounds nuw %struct.node, ptr %75, i32 0, i32 1
  %77 = load i32, ptr %76, align 4
  %78 = load ptr, ptr %6, align 8
  %79 = getelementptr inbounds nuw %struct.node, ptr %78, i32 0, i32 3
  %80 = load i32, ptr %79, align 4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %81
  %83 = getelementptr inbounds nuw %struct.node, ptr %82, i32 0, i32 1
  %84 = load i32, ptr %83, align 4
  %85 = icmp sgt i32 %77, %84
  %86 = zext i1 %85 to i32
  store i32 %86, ptr %7, align 4
  %87 = load i32, ptr %4, align 4
  %88 = load i32, ptr %7, align 4
  %89 = call i32 @rotate_treap(i32 noundef %87, i32 noundef %88)
  store i32 %89, ptr %8, align 4
  %90 = load i32, ptr %7, align 4
  %91 = icmp ne i32 %90, 0
  br i1 %91, label %92, label %104

92:
  %93 = load i32, ptr %8, align 4
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %94
  %96 = getelementptr inbounds nuw %struct.node, ptr %95, i32 0, i32 3
  %97 = load i32, ptr %96, align 4
  %98 = load i32, ptr %5, align 4
  %99 = call i32 @remove_treap(i32 noundef %97, i32 noundef %98)
  %100 = load i32, ptr %8, align 4
  %101 = sext i32 %100 to i64
  %102 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %101
  %103 = getelementptr inbounds nuw %struct.node, ptr %102, i32 0, i32 3
  store i32 %99, ptr %103, align 4
  br label %116

104:
  %105 = load i32, ptr %8, align 4
  %106 = sext i32 %105 to i64
  %107 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %106
  %108 = getelementptr inbounds nuw %struct.node, ptr %107, i32 0, i32 2
  %109 = load i32, ptr %108, align 8
  %110 = load i32, ptr %5, align 4
  %111 = call i32 @remove_treap(i32 noundef %109, i32 noundef %110)
  %112 = load i32, ptr %8, align 4
  %113 = sext i32 %112 to i64
  %114 = getelementptr inbounds [256 x %struct.node], ptr @treap, i64 0, i64 %113
  %115 = getelementptr inbounds nuw %struct.node, ptr %114, i32 0, i32 2
  store i32 %111, ptr %115, align 8
  br label %116

116:
  %117 = load i32, ptr %8, align 4
  store i32 %117, ptr %3, align 4
  br label %118

118:
  %119 = load i32, ptr %3, align 4
  ret i32 %119
}

define dso_local i32 @height(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %3 = load i32, ptr %2, align 4
  %4 = icmp ne i32 %3, 0
  br i1 %4, label %5, label %11

5:
  %6 = load i32, ptr %2, align 4
  %7 = sext i32 %6 to i64
  %8 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %7
  %9 = getelementptr inbounds nuw %struct.node, ptr %8, i32 0, i32 1
  %10 = load i32, ptr %9, align 4
  br label %12

11:
  br label %12

12:
  %13 = phi i32 [ %10, %5 ], [ 0, %11 ]
  ret i32 %13
}

define dso_local void @update(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %5 = load i32, ptr %2, align 4
  %6 = sext i32 %5 to i64
  %7 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %6
  %8 = getelementptr inbounds nuw %struct.node, ptr %7, i32 0, i32 2
  %9 = load i32, ptr %8, align 8
  %10 = call i32 @height(i32 noundef %9)
  store i32 %10, ptr %3, align 4
  %11 = load i32, ptr %2, align 4
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %12
  %14 = getelementptr inbounds nuw %struct.node, ptr %13, i32 0, i32 3
  %15 = load i32, ptr %14, align 4
  %16 = call i32 @height(i32 noundef %15)
  store i32 %16, ptr %4, align 4
  %17 = load i32, ptr %3, align 4
  %18 = load i32, ptr %4, align 4
  %19 = icmp sgt i32 %17, %18
  br i1 %19, label %20, label %22

20:
  %21 = load i32, ptr %3, align 4
  br label %24

22:
  %23 = load i32, ptr %4, align 4
  br label %24

24:
  %25 = phi i32 [ %21, %20 ], [ %23, %22 ]
  %26 = add nsw i32 1, %25
  %27 = load i32, ptr %2, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %28
  %30 = getelementptr inbounds nuw %struct.node, ptr %29, i32 0, i32 1
  store i32 %26, ptr %30, align 4
  ret void
}

define dso_local i32 @lift_left(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %4 = load i32, ptr %2, align 4
  %5 = sext i32 %4 to i64
  %6 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %5
  %7 = getelementptr inbounds nuw %struct.node, ptr %6, i32 0, i32 2
  %8 = load i32, ptr %7, align 8
  store i32 %8, ptr %3, align 4
  %9 = load i32, ptr %3, align 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %10
  %12 = getelementptr inbounds nuw %struct.node, ptr %11, i32 0, i32 3
  %13 = load i32, ptr %12, align 4
  %14 = load i32, ptr %2, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %15
  %17 = getelementptr inbounds nuw %struct.node, ptr %16, i32 0, i32 2
  store i32 %13, ptr %17, align 8
  %18 = load i32, ptr %2, align 4
  %19 = load i32, ptr %3, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %20
  %22 = getelementptr inbounds nuw %struct.node, ptr %21, i32 0, i32 3
  store i32 %18, ptr %22, align 4
  %23 = load i32, ptr %2, align 4
  call void @update(i32 noundef %23)
  %24 = load i32, ptr %3, align 4
  call void @update(i32 noundef %24)
  %25 = load i32, ptr %3, align 4
  ret i32 %25
}

define dso_local i32 @lift_right(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %4 = load i32, ptr %2, align 4
  %5 = sext i32 %4 to i64
  %6 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %5
  %7 = getelementptr inbounds nuw %struct.node, ptr %6, i32 0, i32 3
  %8 = load i32, ptr %7, align 4
  store i32 %8, ptr %3, align 4
  %9 = load i32, ptr %3, align 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %10
  %12 = getelementptr inbounds nuw %struct.node, ptr %11, i32 0, i32 2
  %13 = load i32, ptr %12, align 8
  %14 = load i32, ptr %2, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %15
  %17 = getelementptr inbounds nuw %struct.node, ptr %16, i32 0, i32 3
  store i32 %13, ptr %17, align 4
  %18 = load i32, ptr %2, align 4
  %19 = load i32, ptr %3, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %20
  %22 = getelementptr inbounds nuw %struct.node, ptr %21, i32 0, i32 2
  store i32 %18, ptr %22, align 8
  %23 = load i32, ptr %2, align 4
  call void @update(i32 noundef %23)
  %24 = load i32, ptr %3, align 4
  call void @update(i32 noundef %24)
  %25 = load i32, ptr %3, align 4
  ret i32 %25
}

define dso_local i32 @insert_avl(i32 noundef %0, i32 noundef %1) #0 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca %struct.node, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  store i32 %0, ptr %4, align 4
  store i32 %1, ptr %5, align 4
  %10 = load i32, ptr %4, align 4
  %11 = icmp ne i32 %10, 0
  br i1 %11, label %23, label %12

12:
  %13 = getelementptr inbounds nuw %struct.node, ptr %6, i32 0, i32 0
  %14 = load i32, ptr %5, align 4
  store i32 %14, ptr %13, align 4
  %15 = getelementptr inbounds nuw %struct.node, ptr %6, i32 0, i32 1
  store i32 1, ptr %15, align 4
  %16 = getelementptr inbounds nuw %struct.node, ptr %6, i32 0, i32 2
  store i32 0, ptr %16, align 4
  %17 = getelementptr inbounds nuw %struct.node, ptr %6, i32 0, i32 3
  store i32 0, ptr %17, align 4
  %18 = load i32, ptr @num_avl, align 4
  %19 = add nsw i32 %18, 1
  store i32 %19, ptr @num_avl, align 4
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %20
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %21, ptr align 4 %6, i64 16, i1 false)
  %22 = load i32, ptr @num_avl, align 4
  store i32 %22, ptr %3, align 4
  br label %144

23:
  %24 = load i32, ptr %5, align 4
  %25 = load i32, ptr %4, align 4
  %26 = sext i32 %25 to i64
  %27 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %26
  %28 = getelementptr inbounds nuw %struct.node, ptr %27, i32 0, i32 0
  %29 = load i32, ptr %28, align 16
  %30 = icmp slt i32 %24, %29
  br i1 %30, label %31, label %43

31:
  %32 = load i32, ptr %4, align 4
  %33 = sext i32 %32 to i64
  %34 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %33
  %35 = getelementptr inbounds nuw %struct.node, ptr %34, i32 0, i32 2
  %36 = load i32, ptr %35, align 8
  %37 = load i32, ptr %5, align 4
  %38 = call i32 @insert_avl(i32 noundef %36, i32 noundef %37)
  %39 = load i32, ptr %4, align 4
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %40
  %42 = getelementptr inbounds nuw %struct.node, ptr %41, i32 0, i32 2
  store i32 %38, ptr %42, align 8
  br label %64

43:
  %44 = load i32, ptr %5, align 4
  %45 = load i32, ptr %4, align 4
  %46 = sext i32 %45 to i64
  %47 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %46
  %48 = getelementptr inbounds nuw %struct.node, ptr %47, i32 0, i32 0
  %49 = load i32, ptr %48, align 16
  %50 = icmp sgt i32 %44, %49
  br i1 %50, label %51, label %63

51:
  %52 = load i32, ptr %4, align 4
  %53 = sext i32 %52 to i64
  %54 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %53
  %55 = getelementptr inbounds nuw %struct.node, ptr %54, i32 0, i32 3
  %56 = load i32, ptr %55, align 4
  %57 = load i32, ptr %5, align 4
  %58 = call i32 @insert_avl(i32 noundef %56, i32 noundef %57)
  %59 = load i32, ptr %4, align 4
  %60 = sext i32 %59 to i64
  %61 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %60
  %62 = getelementptr inbounds nuw %struct.node, ptr %61, i32 0, i32 3
  store i32 %58, ptr %62, align 4
  br label %63

63:
  br label %64

64:
  %65 = load i32, ptr %4, align 4
  call void @update(i32 noundef %65)
  %66 = load i32, ptr %4, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %67
  %69 = getelementptr inbounds nuw %struct.node, ptr %68, i32 0, i32 2
  %70 = load i32, ptr %69, align 8
  %71 = call i32 @height(i32 noundef %70)
  %72 = load i32, ptr %4, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %73
  %75 = getelementptr inbounds nuw %struct.node, ptr %74, i32 0, i32 3
  %76 = load i32, ptr %75, align 4
  %77 = call i32 @height(i32 noundef %76)
  %78 = sub nsw i32 %71, %77
  store i32 %78, ptr %7, align 4
  %79 = load i32, ptr %7, align 4
  %80 = icmp sgt i32 %79, 1
  br i1 %80, label %81, label %110

81:
  %82 = load i32, ptr %4, align 4
  %83 = sext i32 %82 to i64
  %84 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %83
  %85 = getelementptr inbounds nuw %struct.node, ptr %84, i32 0, i32 2
  %86 = load i32, ptr %85, align 8
  store i32 %86, ptr %8, align 4
  %87 = load i32, ptr %8, align 4
  %88 = sext i32 %87 to i64
  %89 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %88
  %90 = getelementptr inbounds nuw %struct.node, ptr %89, i32 0, i32 3
  %91 = load i32, ptr %90, align 4
  %92 = call i32 @height(i32 noundef %91)
  %93 = load i32, ptr %8, align 4
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %94
  %96 = getelementptr inbounds nuw %struct.node, ptr %95, i32 0, i32 2
  %97 = load i32, ptr %96, align 8
  %98 = call i32 @height(i32 noundef %97)
  %99 = icmp sgt i32 %92, %98
  br i1 %99, label %100, label %107

100:
  %101 = load i32, ptr %8, align 4
  %102 = call i32 @lift_right(i32 noundef %101)
  %103 = load i32, ptr %4, align 4
  %104 = sext i32 %103 to i64
  %105 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %104
  %106 = getelementptr inbounds nuw %struct.node, ptr %105, i32 0, i32 2
  store i32 %102, ptr %106, align 8
  br label %107

107:
  %108 = load i32, ptr %4, align 4
  %109 = call i32 @lift_left(i32 noundef %108)
  store i32 %109, ptr %3, align 4
  br label %144

110:
  %111 = load i32, ptr %7, align 4
  %112 = icmp slt i32 %111, -1
  br i1 %112, label %113, label %142

113:
  %114 = load i32, ptr %4, align 4
  %115 = sext i32 %114 to i64
  %116 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %115
  %117 = getelementptr inbounds nuw %struct.node, ptr %116, i32 0, i32 3
  %118 = load i32, ptr %117, align 4
  store i32 %118, ptr %9, align 4
  %119 = load i32, ptr %9, align 4
  %120 = sext i32 %119 to i64
  %121 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %120
  %122 = getelementptr inbounds nuw %struct.node, ptr %121, i32 0, i32 2
  %123 = load i32, ptr %122, align 8
  %124 = call i32 @height(i32 noundef %123)
  %125 = load i32, ptr %9, align 4
  %126 = sext i32 %125 to i64
  %127 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %126
  %128 = getelementptr inbounds nuw %struct.node, ptr %127, i32 0, i32 3
  %129 = load i32, ptr %128, align 4
  %130 = call i32 @height(i32 noundef %129)
  %131 = icmp sgt i32 %124, %130
  br i1 %131, label %132, label %139

132:
  %133 = load i32, ptr %9, align 4
  %134 = call i32 @lift_left(i32 noundef %133)
  %135 = load i32, ptr %4, align 4
  %136 = sext i32 %135 to i64
  %137 = getelementptr inbounds [256 x %struct.node], ptr @avl, i64 0, i64 %136
  %138 = getelementptr inbounds nuw %struct.node, ptr %137, i32 0, i32 3
  store i32 %134, ptr %138, align 4
  br label %139

139:
  %140 = load i32, ptr %4, align 4
  %141 = call i32 @lift_right(i32 noundef %140)
  store i32 %141, ptr %3, align 4
  br label %144

142:
  %143 = load i32, ptr %4, align 4
  store i32 %143, ptr %3, align 4
  br label %144

144:
  %145 = load i32, ptr %3, align 4
  ret i32 %145
}

define dso_local i32 @walk(ptr noundef %0, i32 noundef %1, ptr noundef %2, i32 noundef %3) #0 {
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca i32, align 4
  %8 = alloca ptr, align 8
  %9 = alloca i32, align 4
  store ptr %0, ptr %6, align 8
  store i32 %1, ptr %7, align 4
  store ptr %2, ptr %8, align 8
  store i32 %3, ptr %9, align 4
  %10 = load i32, ptr %7, align 4
  %11 = icmp ne i32 %10, 0
  br i1 %11, label %14, label %12

12:
  %13 = load i32, ptr %9, align 4
  store i32 %13, ptr %5, align 4
  br label %46

14:
  %15 = load ptr, ptr %6, align 8
  %16 = load ptr, ptr %6, align 8
  %17 = load i32, ptr %7, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds %struct.node, ptr %16, i64 %18
  %20 = getelementptr inbounds nuw %struct.node, ptr %19, i32 0, i32 2
  %21 = load i32, ptr %20, align 4
  %22 = load ptr, ptr %8, align 8
  %23 = load i32, ptr %9, align 4
  %24 = call i32 @walk(ptr noundef %15, i32 noundef %21, ptr noundef %22, i32 noundef %23)
  store i32 %24, ptr %9, align 4
  %25 = load ptr, ptr %6, align 8
  %26 = load i32, ptr %7, align 4
  %27 = sext i32 %26 to i64
  %28 = getelementptr inbounds %struct.node, ptr %25, i64 %27
  %29 = getelementptr inbounds nuw %struct.node, ptr %28, i32 0, i32 0
  %30 = load i32, ptr %29, align 4
  %31 = load ptr, ptr %8, align 8
  %32 = load i32, ptr %9, align 4
  %33 = add nsw i32 %32, 1
  store i32 %33, ptr %9, align 4
  %34 = sext i32 %32 to i64
  %35 = getelementptr inbounds i32, ptr %31, i64 %34
  store i32 %30, ptr %35, align 4
  %36 = load ptr, ptr %6, align 8
  %37 = load ptr, ptr %6, align 8
  %38 = load i32, ptr %7, align 4
  %39 = sext i32 %38 to i64
  %40 = getelementptr inbounds %struct.node, ptr %37, i64 %39
  %41 = getelementptr inbounds nuw %struct.node, ptr %40, i32 0, i32 3
  %42 = load i32, ptr %41, align 4
  %43 = load ptr, ptr %8, align 8
  %44 = load i32, ptr %9, align 4
  %45 = call i32 @walk(ptr noundef %36, i32 noundef %42, ptr noundef %43, i32 noundef %44)
  store i32 %45, ptr %5, align 4
  br label %46

46:
  %47 = load i32, ptr %5, align 4
  ret i32 %47
}

define dso_local void @add_word(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8
  store i32 0, ptr %3, align 4
  br label %4

4:
  %5 = load ptr, ptr %2, align 8
  %6 = load i8, ptr %5, align 1
  %7 = icmp ne i8 %6, 0
  br i1 %7, label %8, label %46

8:
  %9 = load i32, ptr %3, align 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [400 x [26 x i32]], ptr @children, i64 0, i64 %10
  %12 = load ptr, ptr %2, align 8
  %13 = load i8, ptr %12, align 1
  %14 = sext i8 %13 to i32
  %15 = sub nsw i32 %14, 97
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [26 x i32], ptr %11, i64 0, i64 %16
  %18 = load i32, ptr %17, align 4
  %19 = icmp ne i32 %18, 0
  br i1 %19, label %32, label %20

20:
  %21 = load i32, ptr @num_trie, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr @num_trie, align 4
  %23 = load i32, ptr %3, align 4
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds [400 x [26 x i32]], ptr @children, i64 0, i64 %24
  %26 = load ptr, ptr %2, align 8
  %27 = load i8, ptr %26, align 1
  %28 = sext i8 %27 to i32
  %29 = sub nsw i32 %28, 97
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds [26 x i32], ptr %25, i64 0, i64 %30
  store i32 %21, ptr %31, align 4
  br label %32

32:
  %33 = load i32, ptr %3, align 4
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [400 x [26 x i32]], ptr @children, i64 0, i64 %34
  %36 = load ptr, ptr %2, align 8
  %37 = load i8, ptr %36, align 1
  %38 = sext i8 %37 to i32
  %39 = sub nsw i32 %38, 97
  %40 = sext i32 %39 to i64
  %41 = getelementptr inbounds [26 x i32], ptr %35, i64 0, i64 %40
  %42 = load i32, ptr %41, align 4
  store i32 %42, ptr %3, align 4
  br label %43

43:
  %44 = load ptr, ptr %2, align 8
  %45 = getelementptr inbounds nuw i8, ptr %44, i32 1
  store ptr %45, ptr %2, align 8
  br label %4, !llvm.loop !4

46:
  %47 = load i32, ptr %3, align 4
  %48 = sext i32 %47 to i64
  %49 = getelementptr inbounds [400 x i32], ptr @ends, i64 0, i64 %48
  %50 = load i32, ptr %49, align 4
  %51 = add nsw i32 %50, 1
  store i32 %51, ptr %49, align 4
  ret void
}

define dso_local i32 @count_words(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  store i32 %0, ptr %2, align 4
  %5 = load i32, ptr %2, align 4
  %6 = sext i32 %5 to i64
  %7 = getelementptr inbounds [400 x i32], ptr @ends, i64 0, i64 %6
  %8 = load i32, ptr %7, align 4
  %9 = icmp sgt i32 %8, 0
  %10 = zext i1 %9 to i32
  store i32 %10, ptr %3, align 4
  store i32 0, ptr %4, align 4
  br label %11

11:
  %12 = load i32, ptr %4, align 4
  %13 = icmp slt i32 %12, 26
  br i1 %13, label %14, label %38

14:
  %15 = load i32, ptr %2, align 4
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds [400 x [26 x i32]], ptr @children, i64 0, i64 %16
  %18 = load i32, ptr %4, align 4
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [26 x i32], ptr %17, i64 0, i64 %19
  %21 = load i32, ptr %20, align 4
  %22 = icmp ne i32 %21, 0
  br i1 %22, label %23, label %34

23:
  %24 = load i32, ptr %2, align 4
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds [400 x [26 x i32]], ptr @children, i64 0, i64 %25
  %27 = load i32, ptr %4, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [26 x i32], ptr %26, i64 0, i64 %28
  %30 = load i32, ptr %29, align 4
  %31 = call i32 @count_words(i32 noundef %30)
  %32 = load i32, ptr %3, align 4
  %33 = add nsw i32 %32, %31
  store i32 %33, ptr %3, align 4
  br label %34

34:
  br label %35

35:
  %36 = load i32, ptr %4, align 4
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %4, align 4
  br label %11, !llvm.loop !6

38:
  %39 = load i32, ptr %3, align 4
  ret i32 %39
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
  %13 = alloca i32, align 4
  store i32 0, ptr %1, align 4
  store i32 0, ptr %2, align 4
  store i32 0, ptr %3, align 4
  store i32 0, ptr %4, align 4
  store i32 0, ptr %5, align 4
  store i32 4, ptr %6, align 4
  store i32 0, ptr %7, align 4
  br label %14

14:
  %15 = load i32, ptr %7, align 4
  %16 = icmp slt i32 %15, 200
  br i1 %16, label %17, label %41

17:
  %18 = load i32, ptr %6, align 4
  %19 = mul i32 %18, 1103515245
  %20 = add i32 %19, 12345
  store i32 %20, ptr %6, align 4
  %21 = load i32, ptr %6, align 4
  %22 = lshr i32 %21, 16
  %23 = srem i32 %22, 500
  store i32 %23, ptr %8, align 4
  %24 = load i32, ptr %2, align 4
  %25 = load i32, ptr %8, align 4
  %26 = load i32, ptr %6, align 4
  %27 = lshr i32 %26, 8
  %28 = and i32 %27, 65535
  %29 = call i32 @insert_treap(i32 noundef %24, i32 noundef %25, i32 noundef %28)
  store i32 %29, ptr %2, align 4
  %30 = load i32, ptr %8, align 4
  %31 = srem i32 %30, 3
  %32 = icmp ne i32 %31, 0
  br i1 %32, label %33, label %37

33:
  %34 = load i32, ptr %3, align 4
  %35 = load i32, ptr %8, align 4
  %36 = call i32 @insert_avl(i32 noundef %34, i32 noundef %35)
  store i32 %36, ptr %3, align 4
  br label %37

37:
  br label %38

38:
  %39 = load i32, ptr %7, align 4
  %40 = add nsw i32 %39, 1
  store i32 %40, ptr %7, align 4
  br label %14, !llvm.loop !7

41:
  store i32 0, ptr %9, align 4
  br label %42

42:
  %43 = load i32, ptr %9, align 4
  %44 = icmp slt i32 %43, 500
  br i1 %44, label %45, label %52

45:
  %46 = load i32, ptr %2, align 4
  %47 = load i32, ptr %9, align 4
  %48 = call i32 @remove_treap(i32 noundef %46, i32 noundef %47)
  store i32 %48, ptr %2, align 4
  br label %49

49:
  %50 = load i32, ptr %9, align 4
  %51 = add nsw i32 %50, 3
  store i32 %51, ptr %9, align 4
  br label %42, !llvm.loop !8

52:
  %53 = load i32, ptr %2, align 4
  %54 = call i32 @walk(ptr noundef @treap, i32 noundef %53, ptr noundef @main.first, i32 noundef 0)
  store i32 %54, ptr %10, align 4
  %55 = load i32, ptr %3, align 4
  %56 = call i32 @walk(ptr noundef @avl, i32 noundef %55, ptr noundef @main.second, i32 noundef 0)
  store i32 %56, ptr %11, align 4
  store i32 0, ptr %12, align 4
  br label %57

57:
  %58 = load i32, ptr %12, align 4
  %59 = load i32, ptr %10, align 4
  %60 = icmp slt i32 %58, %59
  br i1 %60, label %61, label %103

61:
  %62 = load i32, ptr %12, align 4
  %63 = sext i32 %62 to i64
  %64 = getelementptr inbounds [256 x i32], ptr @main.first, i64 0, i64 %63
  %65 = load i32, ptr %64, align 4
  %66 = load i32, ptr %12, align 4
  %67 = sext i32 %66 to i64
  %68 = getelementptr inbounds [256 x i32], ptr @main.second, i64 0, i64 %67
  %69 = load i32, ptr %68, align 4
  %70 = icmp ne i32 %65, %69
  br i1 %70, label %87, label %71

71:
  %72 = load i32, ptr %12, align 4
  %73 = icmp ne i32 %72, 0
  br i1 %73, label %74, label %85

74:
  %75 = load i32, ptr %12, align 4
  %76 = sub nsw i32 %75, 1
  %77 = sext i32 %76 to i64
  %78 = getelementptr inbounds [256 x i32], ptr @main.first, i64 0, i64 %77
  %79 = load i32, ptr %78, align 4
  %80 = load i32, ptr %12, align 4
  %81 = sext i32 %80 to i64
  %82 = getelementptr inbounds [256 x i32], ptr @main.first, i64 0, i64 %81
  %83 = load i32, ptr %82, align 4
  %84 = icmp sge i32 %79, %83
  br label %85

85:
  %86 = phi i1 [ false, %71 ], [ %84, %74 ]
  br label %87

87:
  %88 = phi i1 [ true, %61 ], [ %86, %85 ]
  %89 = zext i1 %88 to i32
  %90 = load i32, ptr %4, align 4
  %91 = add nsw i32 %90, %89
  store i32 %91, ptr %4, align 4
  %92 = load i32, ptr %5, align 4
  %93 = mul nsw i32 %92, 31
  %94 = load i32, ptr %12, align 4
  %95 = sext i32 %94 to i64
  %96 = getelementptr inbounds [256 x i32], ptr @main.first, i64 0, i64 %95
  %97 = load i32, ptr %96, align 4
  %98 = add nsw i32 %93, %97
  %99 = and i32 %98, 16777215
  store i32 %99, ptr %5, align 4
  br label %100

100:
  %101 = load i32, ptr %12, align 4
  %102 = add nsw i32 %101, 1
  store i32 %102, ptr %12, align 4
  br label %57, !llvm.loop !9

103:
  store i32 0, ptr %13, align 4
  br label %104

104:
  %105 = load i32, ptr %13, align 4
  %106 = icmp slt i32 %105, 9
  br i1 %106, label %107, label %115

107:
  %108 = load i32, ptr %13, align 4
  %109 = sext i32 %108 to i64
  %110 = getelementptr inbounds [9 x ptr], ptr @main.words, i64 0, i64 %109
  %111 = load ptr, ptr %110, align 8
  call void @add_word(ptr noundef %111)
  br label %112

112:
  %113 = load i32, ptr %13, align 4
  %114 = add nsw i32 %113, 1
  store i32 %114, ptr %13, align 4
  br label %104, !llvm.loop !10

115:
  %116 = load i32, ptr %10, align 4
  %117 = load i32, ptr %3, align 4
  %118 = call i32 @height(i32 noundef %117)
  %119 = load i32, ptr %5, align 4
  %120 = load i32, ptr @num_trie, align 4
  %121 = call i32 @count_words(i32 noundef 0)
  %122 = load i32, ptr %4, align 4
  %123 = call i32 (ptr, ...) @printf(ptr noundef @.str.8, i32 noundef %116, i32 noundef %118, i32 noundef %119, i32 noundef %120, i32 noundef %121, i32 noundef %122)
  %124 = load i32, ptr %4, align 4
  %125 = icmp ne i32 %124, 0
  br i1 %125, label %137, label %126

126:
  %127 = load i32, ptr %10, align 4
  %128 = load i32, ptr %11, align 4
  %129 = icmp ne i32 %127, %128
  br i1 %129, label %137, label %130

130:
  %131 = call i32 @count_words(i32 noundef 0)
  %132 = icmp ne i32 %131, 8
  br i1 %132, label %137, label %133

133:
  %134 = load i32, ptr %3, align 4
  %135 = call i32 @height(i32 noundef %134)
  %136 = icmp sgt i32 %135, 10
  br label %137

137:
  %138 = phi i1 [ true, %130 ], [ true, %126 ], [ true, %115 ], [ %136, %133 ]
  %139 = zext i1 %138 to i32
  ret i32 %139
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
