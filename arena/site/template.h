/* SPDX-License-Identifier: MIT */
/*
 * Templates of pages: HTML with names in double braces, which are filled from JSON. The language is
 * Mustache's, without what would be a program:
 *
 *     {{name}} {{a.b}} {{.}}  a value of the innermost section's object; {{.}}: its element
 *     {{@name}}               a value of that object or of one around it, the nearest first
 *     {{name:format}}         a value in one of the formats below
 *     {{#name}}...{{/name}}   for each element of an array; once for an object, for true, and for a
 *                             text or a number that is not empty or 0
 *     {{^name}}...{{/name}}   once where {{#name}} writes nothing
 *     {{-first}} {{-last}}    only in sections: about the element of the innermost array
 *     {{-number}}             the number of that element, from 1
 *     {{>name}}               another template
 *     {{! ... }}              a comment
 *
 *     count   a whole number with separators of thousands
 *     round   a number without decimals
 *     one     a number with one decimal
 *     short   a number with three digits
 *     s       "s" unless the number is 1
 *     ms      milliseconds: "5 s", "300 ms"
 *     us      microseconds: "5 s", "300 ms", "0.2 ms"
 *     sentence   text with a period, unless it ends with ".", "?" or "!"
 *     time    a time, as text in RFC 3339 or microseconds since 1970: an element <time>
 *     words   text in which mail and web addresses are links
 *     json    a value in a script element
 *     raw     the arena's own HTML, script or style
 *
 * No value can become markup. The parser follows the HTML and knows what each place needs: text is
 * escaped, an address (href, src) is relative or has a scheme that leads to no script, and a script
 * takes JSON only. It refuses a template with a value in any other place (a tag, a style,
 * an event's attribute), with an attribute without double quotes, and with a section that
 * does not end in the kind of place in which it begins.
 *
 * Lines of a template may be indented, but for <pre>; a line with nothing but a section's tag, a
 * comment or another template's name leaves no line in the page; a template of one line, below a
 * comment or not, ends without a line end.
 */
#ifndef ARENA_SITE_TEMPLATE_H
#define ARENA_SITE_TEMPLATE_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

enum template_limits {
    TEMPLATE_DEPTH_MAX = 16, /* sections and templates within each other */
    TEMPLATE_NAME_BYTES = 32,
    TEMPLATE_ERROR_BYTES = 160,
};

/* Templates that can name each other. */
struct templates;

/* Returns NULL if memory runs out. */
struct templates *templates_create(void);
void templates_destroy(struct templates *templates);

/*
 * Parses a template. Copies name and text. Returns 0; -EINVAL, with `error` set to one line that
 * names the template, the line and the cure; or -ENOMEM.
 */
int templates_add(struct templates *templates, const char *name, const char *text, size_t size,
                  char error[static TEMPLATE_ERROR_BYTES]);

/*
 * Writes a page. Returns 0; or -EINVAL, with `error` set, if a value is missing or not of its
 * format's type, if a template is missing, or if sections are too deep. Errors of the stream stay
 * in the stream.
 */
int templates_write(const struct templates *templates, const char *name, const json_t *data,
                    FILE *stream, char error[static TEMPLATE_ERROR_BYTES]);

#endif
