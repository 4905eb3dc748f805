/* A chat server on loopback that answers every request alike and costs as little as it can: `endpoint.py` compiles it.

   Usage: loopback_server LATENCY_S MOST_AT_ONCE PER_MINUTE ANSWER_FILE REFUSAL_FILE

   It prints its port. Each answer is sent after LATENCY_S; more than MOST_AT_ONCE in flight or PER_MINUTE (0: no limit) are
   refused with the bytes of REFUSAL_FILE. `GET /log` gives [[time, accepted], ...] of all requests, `GET /cpu` the processor
   time of this process in seconds. One thread and epoll; requests must not be pipelined. */

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 4096, MOST_REQUEST_BYTES = 1 << 20, MOST_REQUESTS = 1 << 22 };

typedef struct { char *data; size_t length, room; } Buffer;
typedef struct { double at; int connection; unsigned generation; } Due;

static Buffer inputs[MOST_CONNECTIONS];
static unsigned generations[MOST_CONNECTIONS];
static double *times;
static char *admitted;
static Due *dues;
static size_t num_requests, first_due, end_due;

static double now(clockid_t clock) {
    struct timespec value;
    clock_gettime(clock, &value);
    return value.tv_sec + value.tv_nsec / 1e9;
}

static void send_all(int connection, const char *data, size_t length) {
    while (length) {
        ssize_t sent = send(connection, data, length, MSG_NOSIGNAL);
        if (sent <= 0) return;
        data += sent, length -= sent;
    }
}

static Buffer read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    Buffer buffer = {malloc(1 << 16), 0, 1 << 16};
    if (!file) { perror(path); exit(1); }
    buffer.length = fread(buffer.data, 1, buffer.room, file);
    fclose(file);
    return buffer;
}

static void send_text(int connection, char *body, size_t length) {
    char head[128];
    int size = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", length);
    send_all(connection, head, size);
    send_all(connection, body, length);
}

static void send_log(int connection) {
    char *text = malloc(40 * (num_requests + 1)), *end = text;
    *end++ = '[';
    for (size_t i = 0; i < num_requests; i++)
        end += sprintf(end, "%s[%.6f,%s]", i ? "," : "", times[i], admitted[i] ? "true" : "false");
    *end++ = ']';
    send_text(connection, text, end - text);
    free(text);
}

/* Return the length of the first request in the buffer; 0 if it is not complete. */
static size_t request_length(const Buffer *input) {
    char *end = memmem(input->data, input->length, "\r\n\r\n", 4);
    size_t length = 0;
    if (!end) return 0;
    for (char *line = input->data; line < end; line = (char *)memmem(line, end + 2 - line, "\r\n", 2) + 2)
        if (!strncasecmp(line, "content-length:", 15)) length = strtoul(line + 15, NULL, 10);
    length += end + 4 - input->data;
    return length <= input->length ? length : 0;
}

int main(int argc, char **argv) {
    if (argc != 6) { fprintf(stderr, "five arguments\n"); return 2; }
    double latency_s = atof(argv[1]), per_minute = atof(argv[3]), level = per_minute, filled_at = now(CLOCK_MONOTONIC);
    int most_at_once = atoi(argv[2]), in_flight = 0, one = 1;
    Buffer answer = read_file(argv[4]), refusal = read_file(argv[5]);
    times = malloc(MOST_REQUESTS * sizeof *times), admitted = malloc(MOST_REQUESTS), dues = malloc(MOST_REQUESTS * sizeof *dues);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), poller = epoll_create1(0);
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 2048)) { perror("listen"); return 1; }
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    for (;;) {
        int wait_ms = -1;
        if (first_due < end_due) {
            double left = dues[first_due].at - now(CLOCK_MONOTONIC);
            wait_ms = left <= 0 ? 0 : (int)(1000 * left) + 1;
        }
        int count = epoll_wait(poller, events, 256, wait_ms);
        for (double at = now(CLOCK_MONOTONIC); first_due < end_due && dues[first_due].at <= at; first_due++) {
            Due *due = &dues[first_due];
            in_flight--;
            if (generations[due->connection] == due->generation) send_all(due->connection, answer.data, answer.length);
        }
        for (int i = 0; i < count; i++) {
            int connection = events[i].data.fd;
            if (connection == listener) {
                connection = accept(listener, NULL, NULL);
                if (connection < 0) continue;
                if (connection >= MOST_CONNECTIONS) { close(connection); continue; }
                setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                event.data.fd = connection;
                epoll_ctl(poller, EPOLL_CTL_ADD, connection, &event);
                inputs[connection].length = 0;
                continue;
            }
            Buffer *input = &inputs[connection];
            if (input->room - input->length < 1 << 14) {
                input->room += 1 << 15;
                input->data = realloc(input->data, input->room);
            }
            ssize_t read = recv(connection, input->data + input->length, input->room - input->length, 0);
            if (read <= 0 || input->length > MOST_REQUEST_BYTES) {
                generations[connection]++;
                close(connection);
                continue;
            }
            input->length += read;
            size_t length = request_length(input);
            if (!length) continue;
            input->length -= length;
            if (!strncmp(input->data, "GET /log", 8)) { send_log(connection); continue; }
            if (!strncmp(input->data, "GET /cpu", 8)) {
                char text[32];
                send_text(connection, text, sprintf(text, "%.6f", now(CLOCK_PROCESS_CPUTIME_ID)));
                continue;
            }
            double at = now(CLOCK_MONOTONIC);
            int is_admitted = !most_at_once || in_flight < most_at_once;
            if (is_admitted && per_minute) {
                level += (at - filled_at) * per_minute / 60, filled_at = at;
                if (level > per_minute) level = per_minute;
                is_admitted = level >= 1;
                level -= is_admitted;
            }
            if (num_requests == MOST_REQUESTS) { fprintf(stderr, "too many requests for the log\n"); return 1; }
            times[num_requests] = at, admitted[num_requests++] = is_admitted;
            if (!is_admitted) send_all(connection, refusal.data, refusal.length);
            else if (latency_s <= 0) send_all(connection, answer.data, answer.length);
            else in_flight++, dues[end_due++] = (Due){at + latency_s, connection, generations[connection]};
        }
    }
}
