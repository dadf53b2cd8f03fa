/* SPDX-License-Identifier: MIT */
/* The extension module pavilion_lab._engine: its types, its exception and the names of actions. */
#include "engine/notation.h"
#include "sdk/python/lab.h"

/* Returns (notation, kind, numbers) of the action at an index. */
static PyObject *describe_action(PyObject *module, PyObject *object)
{
    char text[NOTATION_ACTION_BYTES];
    int index = lab_read_action(object);
    struct action action;

    (void)module;
    if (index < 0)
        return NULL;
    action = lab_action(index);
    notation_write_action(action, text);
    return Py_BuildValue("ss(iiiiii)", text, notation_kinds[action.kind], action.number[0],
                         action.number[1], action.number[2], action.number[3], action.number[4],
                         action.number[5]);
}

/* Returns the index of an action, given in notation. */
static PyObject *find_action(PyObject *module, PyObject *object)
{
    int index = lab_read_action(object);

    (void)module;
    return index < 0 ? NULL : PyLong_FromLong(index);
}

static PyMethodDef functions[] = {
    {"describe_action", describe_action, METH_O, NULL},
    {"find_action", find_action, METH_O, NULL},
    {"set_actions", lab_set_actions, METH_O, NULL},
    {NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "pavilion_lab._engine",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__engine(void);

PyMODINIT_FUNC PyInit__engine(void)
{
    PyObject *module = PyModule_Create(&definition);

    if (!module)
        return NULL;
    lab_actions_init();
    lab_game_type = (PyTypeObject *)(void *)PyType_FromSpec(&lab_game_spec);
    lab_batch_type = (PyTypeObject *)(void *)PyType_FromSpec(&lab_batch_spec);
    lab_illegal_action = PyErr_NewExceptionWithDoc(
        "pavilion_lab.IllegalAction",
        "The action is not legal in the game; the message names action and game.", PyExc_ValueError,
        NULL);
    if (!lab_game_type || !lab_batch_type || !lab_illegal_action ||
        PyModule_AddObjectRef(module, "Game", (PyObject *)(void *)lab_game_type) < 0 ||
        PyModule_AddObjectRef(module, "Batch", (PyObject *)(void *)lab_batch_type) < 0 ||
        PyModule_AddObjectRef(module, "IllegalAction", lab_illegal_action) < 0 ||
        PyModule_AddIntConstant(module, "ACTION_COUNT", LAB_ACTIONS) < 0 ||
        PyModule_AddIntConstant(module, "OBSERVATION_SIZE", LAB_NUMBERS) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
