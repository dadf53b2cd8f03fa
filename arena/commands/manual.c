/* SPDX-License-Identifier: MIT */
#include "arena/commands/manual.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/base/memory.h"
#include "arena/commands/commands.h"

/* What each page says at its end. */
static const char exits[] =
    ".SH EXIT STATUS\n"
    ".TP\n0\nAll was done, whatever the bots did.\n"
    ".TP\n1\nThe arena failed.\n"
    ".TP\n2\nThe input was wrong; standard error has one line that says what, and the cure.\n";

typedef void visit_fn(FILE *file, const struct command_line *line, const char *summary);

/* Calls visit for a command and its subcommands, those apart that only the arena itself runs. */
static void each_line(FILE *file, const struct command_line *line, const char *summary,
                      visit_fn *visit)
{
    visit(file, line, summary);
    for (const struct command *command = line->subcommands; command && command->name; command++)
        if (command->line && command->summary)
            each_line(file, command->line, command->summary, visit);
}

static bool is_end(const struct option *option)
{
    return !option || (!option->name && !option->help);
}

/* ---- pages of the manual ---- */

/* Prints text; `words in backquotes` are bold. */
static void print_roff(FILE *file, const char *text, size_t size)
{
    bool is_bold = false, begins = true;

    for (size_t i = 0; i < size; i++) {
        const char character = text[i];

        if (begins && (character == '.' || character == '\''))
            fputs("\\&", file);
        begins = character == '\n';
        if (character == '`')
            fputs((is_bold = !is_bold) ? "\\fB" : "\\fR", file);
        else if (character == '\\')
            fputs("\\e", file);
        else if (character == '-')
            fputs("\\-", file);
        else if (character == '~')
            fputs("\\(ti", file);
        else if (character == '^')
            fputs("\\(ha", file);
        else
            fputc(character, file);
    }
}

static void print_text(FILE *file, const char *text)
{
    print_roff(file, text, strlen(text));
    fputc('\n', file);
}

/* Prints what help_fn prints, in its own lines. */
static void print_more(FILE *file, void (*help_fn)(void))
{
    FILE *const kept = stdout;
    char *text = NULL;
    size_t size;
    FILE *memory = memory_stream(&text, &size);

    stdout = memory;
    help_fn();
    stdout = kept;
    memory_stream_end(memory);
    fputs(".PP\n.nf\n", file);
    print_roff(file, text, size);
    fputs(".fi\n", file);
    free(text);
}

static void print_options(FILE *file, const struct option *options)
{
    for (const struct option *option = options; !is_end(option); option++) {
        if (!option->name) {
            fputs(".PP\n", file);
            print_roff(file, option->help, strlen(option->help));
            fputs(":\n", file);
            continue;
        }
        fputs(".TP\n\\fB\\-\\-", file);
        print_roff(file, option->name, strlen(option->name));
        fputs("\\fR", file);
        if (option->argument) {
            fputs(" \\fI", file);
            print_roff(file, option->argument, strlen(option->argument));
            fputs("\\fR", file);
        }
        fputc('\n', file);
        print_text(file, option->help);
    }
}

static void print_usage(FILE *file, const struct command_line *line)
{
    const char *usage = line->usage ? line->usage : "COMMAND [OPTION ...] [ARGUMENT ...]";

    do {
        const size_t size = strcspn(usage, "\n");

        fputs(".PP\n\\fBarena", file);
        fputs(*line->name ? " " : "", file);
        print_roff(file, line->name, strlen(line->name));
        fputs("\\fR ", file);
        print_roff(file, usage, size);
        fputc('\n', file);
        usage += size + (usage[size] == '\n');
    } while (*usage);
}

/* Prints a command with subcommands: what they are; the pages of `arena` itself name the others. */
static void print_commands(FILE *file, const struct command_line *line)
{
    fputs(".SH COMMANDS\n", file);
    for (const struct command *command = line->subcommands; command->name; command++) {
        if (!command->line) {
            fputs(".SS ", file);
            print_text(file, command->name);
        } else if (command->summary) {
            fputs(".TP\n", file);
            if (*line->name)
                fprintf(file, "\\fB%s\\fR\n", command->name);
            else
                fprintf(file, "\\fBarena\\-%s\\fR(1)\n", command->name);
            print_text(file, command->summary);
        }
    }
}

static void print_subcommand(FILE *file, const struct command_line *line, const char *summary)
{
    (void)summary;
    if (!line->usage)
        return;
    fputs(".SH ARENA ", file);
    print_text(file, line->name);
    print_usage(file, line);
    fputs(".PP\n", file);
    print_text(file, line->about);
    print_options(file, line->options);
    if (line->help_fn)
        print_more(file, line->help_fn);
}

static void print_page(FILE *file, const struct command_line *line, const char *summary,
                       const char *version)
{
    const bool is_root = !*line->name;

    fprintf(file, ".TH arena%s%s 1 \"\" \"Pavilion %s\" \"Pavilion\"\n.SH NAME\narena%s%s \\- ",
            is_root ? "" : "\\-", line->name, version, is_root ? "" : "\\-", line->name);
    print_text(file, summary);
    fputs(".SH SYNOPSIS\n", file);
    print_usage(file, line);
    fputs(".SH DESCRIPTION\n", file);
    print_text(file, line->about);
    if (line->subcommands)
        print_commands(file, line);
    if (!is_end(line->options)) {
        fputs(".SH OPTIONS\n", file);
        print_options(file, line->options);
    }
    if (line->help_fn)
        print_more(file, line->help_fn);
    for (const struct command *command = is_root ? NULL : line->subcommands;
         command && command->name; command++)
        if (command->line && command->summary)
            each_line(file, command->line, command->summary, print_subcommand);
    fputs(exits, file);
    fputs(is_root ? "" : ".SH SEE ALSO\n\\fBarena\\fR(1)\n", file);
}

/* ---- completions ---- */

/* Prints text between single quotes for a shell; fish alone needs its backslashes doubled. */
static void print_quoted(FILE *file, const char *text, bool is_fish)
{
    fputc('\'', file);
    for (; *text; text++)
        if (*text == '\'')
            fputs(is_fish ? "\\'" : "'\\''", file);
        else if (*text == '\\' && is_fish)
            fputs("\\\\", file);
        else
            fputc(*text, file);
    fputc('\'', file);
}

/* Prints the words that an option takes; true if it takes any word, such as a path. */
static bool print_values(FILE *file, const struct option *option)
{
    for (const char *const *word = option->words; word && *word; word++)
        fprintf(file, "%s%s", word > option->words ? " " : "", *word);
    return !option->words;
}

/* Prints the key of a command: /season/new; the arena's own is empty. */
static void print_key(FILE *file, const struct command_line *line)
{
    fputs(*line->name ? "/" : "", file);
    for (const char *at = line->name; *at; at++)
        fputc(*at == ' ' ? '/' : *at, file);
}

/*
 * A line for each command: its subcommands and options. A line for each option with an argument:
 * the words that it takes, or - for names of files.
 */
static void print_words(FILE *file, const struct command_line *line, const char *summary)
{
    (void)summary;
    fputs("    [at", file);
    print_key(file, line);
    fputs("]='", file);
    for (const struct command *command = line->subcommands; command && command->name; command++)
        if (command->line && command->summary)
            fprintf(file, "%s ", command->name);
    for (const struct option *option = line->options; !is_end(option); option++)
        if (option->name)
            fprintf(file, "--%s ", option->name);
    fputs("--help'\n", file);
    for (const struct option *option = line->options; !is_end(option); option++) {
        if (!option->name || !option->argument)
            continue;
        fputs("    [at", file);
        print_key(file, line);
        fprintf(file, "/--%s]='", option->name);
        if (print_values(file, option))
            fputc('-', file);
        fputs("'\n", file);
    }
}

/* The same function serves bash and zsh, which has bash's own way to complete. */
static const char walk[] =
    "_arena() {\n"
    "    local word path=at current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local i values\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        case $word in\n"
    "            -*) ;;\n"
    "            *) [ -z \"${_arena_words[$path/$word]-}\" ] || path=$path/$word ;;\n"
    "        esac\n"
    "    done\n"
    "    values=${_arena_words[$path/$before]-}\n"
    "    [ \"${before#--}\" != \"$before\" ] || values=\n"
    "    COMPREPLY=()\n"
    "    if [ \"$values\" = - ]; then\n"
    "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
    "    elif [ -n \"$values\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n"
    "    else\n"
    "        COMPREPLY=($(compgen -W \"${_arena_words[$path]-}\" -- \"$current\"))\n"
    "        [ \"${#COMPREPLY[@]}\" -gt 0 ] || COMPREPLY=($(compgen -f -- \"$current\"))\n"
    "    fi\n"
    "}\n"
    "complete -o filenames -F _arena arena\n";

static void print_bash(FILE *file, const struct command_line *root)
{
    fputs("# Completion of arena's commands and options; the program's build made it.\n"
          "declare -gA _arena_words=(\n",
          file);
    each_line(file, root, "", print_words);
    fprintf(file, ")\n%s", walk);
}

static void print_zsh(FILE *file, const struct command_line *root)
{
    fputs("#compdef arena\n"
          "# Completion of arena's commands and options; the program's build made it.\n"
          "autoload -U +X bashcompinit && bashcompinit\n"
          "typeset -gA _arena_words=(\n",
          file);
    each_line(file, root, "", print_words);
    fprintf(file, ")\n%s", walk);
}

static void print_fish_line(FILE *file, const struct command_line *line, const char *summary)
{
    (void)summary;
    for (const struct command *command = line->subcommands; command && command->name; command++)
        if (command->line && command->summary) {
            fprintf(file, "complete -c arena -f -n '__arena_at \"%s\"' -a %s -d ", line->name,
                    command->name);
            print_quoted(file, command->summary, true);
            fputc('\n', file);
        }
    for (const struct option *option = line->options; !is_end(option); option++) {
        if (!option->name)
            continue;
        fprintf(file, "complete -c arena -n '__arena_at \"%s\"' -l %s%s", line->name, option->name,
                !option->argument ? ""
                : option->words   ? " -x -a '"
                                  : " -r");
        if (option->argument && !print_values(file, option))
            fputc('\'', file);
        fputs(" -d ", file);
        print_quoted(file, option->help, true);
        fputc('\n', file);
    }
}

static void print_names(FILE *file, const struct command_line *line, const char *summary)
{
    (void)summary;
    fprintf(file, " \"%s\"", line->name);
}

static void print_fish(FILE *file, const struct command_line *root)
{
    fputs("# Completion of arena's commands and options; the program's build made it.\n"
          "set -g __arena_names",
          file);
    each_line(file, root, "", print_names);
    fputs("\nfunction __arena_at\n"
          "    set -l path ''\n"
          "    for word in (commandline -opc)[2..-1]\n"
          "        set -l next (string trim -- \"$path $word\")\n"
          "        if contains -- $next $__arena_names\n"
          "            set path $next\n"
          "        end\n"
          "    end\n"
          "    test \"$path\" = \"$argv[1]\"\n"
          "end\n",
          file);
    each_line(file, root, "", print_fish_line);
}

/* ---- files ---- */

/* Opens a file of the folder; NULL after a message. */
static FILE *open_file(const char *folder, const char *name, const char *end, char path[PATH_MAX])
{
    FILE *file;

    snprintf(path, PATH_MAX, "%s/arena%s%s%s", folder, *name ? "-" : "", name, end);
    file = fopen(path, "we");
    if (!file)
        command_fail("%s: %s", path, strerror(errno));
    return file;
}

static int close_file(FILE *file, const char *path)
{
    const bool failed = ferror(file);

    return fclose(file) != 0 || failed ? command_fail("%s: %s", path, strerror(errno))
                                       : COMMAND_DONE;
}

int manual_write(const struct command_line *root, const char *version, const char *folder)
{
    static const struct {
        const char *end;
        void (*print_fn)(FILE *file, const struct command_line *root);
    } shells[] = {{".bash", print_bash}, {".zsh", print_zsh}, {".fish", print_fish}};
    static const struct command itself = {"", NULL, "a bot arena for Azul: Summer Pavilion"};
    int status = COMMAND_DONE;
    char path[PATH_MAX];

    for (const struct command *command = &itself; command->name && status == COMMAND_DONE;
         command = command == &itself ? root->subcommands : command + 1) {
        const struct command_line *line = command == &itself ? root : command->line;
        FILE *file = NULL;

        if (!line || !command->summary)
            continue;
        file = open_file(folder, line->name, ".1", path);
        if (!file)
            return COMMAND_FAILED;
        print_page(file, line, command->summary, version);
        status = close_file(file, path);
    }
    for (size_t i = 0; i < sizeof shells / sizeof *shells && status == COMMAND_DONE; i++) {
        FILE *file = open_file(folder, "", shells[i].end, path);

        if (!file)
            return COMMAND_FAILED;
        shells[i].print_fn(file, root);
        status = close_file(file, path);
    }
    return status;
}
