// The least that a server can do for tools/call: it finds a request's number and answers with the
// same text each time. What a client measures here is the client.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char kSession[] =
    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
    "\"serverInfo\":{\"name\":\"floor\",\"version\":\"1\"}}";
static const char kResult[] = "{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}";

int main(void) {
    static char answer[1024];
    char* line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char* id = strstr(line, "\"id\":");
        if (id == NULL) continue;
        id += strlen("\"id\":");
        const char* result = strstr(line, "\"initialize\"") != NULL ? kSession : kResult;
        const int size =
            snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":%s}\n",
                     (int)strspn(id, "0123456789"), id, result);
        if (write(STDOUT_FILENO, answer, (size_t)size) != size) return 1;
    }
    return 0;
}
