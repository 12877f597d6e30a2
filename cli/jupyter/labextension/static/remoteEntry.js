// CUDA C++ in JupyterLab: files that end in .cu or .cuh, and cells that begin with %%emucc or %%course, are highlighted.
// It is what JupyterLab calls a prebuilt extension, written by hand: a container with init() and get(), without a build.
(() => {
  const mime = 'text/x-cuda-src';
  const magic = /^%%(emucc|course)\b/;
  let shared;

  /** A module that JupyterLab has: its newest version. */
  async function module_of(name) {
    const versions = Object.values(shared[name]);
    return (await versions[versions.length - 1].get())();
  }

  function add_language(languages) {
    const cpp = languages.findByMIME('text/x-c++src');
    languages.addLanguage({
      name: 'cuda',
      displayName: 'CUDA C++',
      mime,
      extensions: ['cu', 'cuh'],
      load: async () => (await languages.getLanguage(cpp)).support,
    });
  }

  /** Sets a cell's language by its first line, now and whenever the text or the notebook's language changes. */
  function watch_cell(model) {
    if (model.type !== 'code') return;
    let other = model.mimeType; // what the cell is otherwise
    const update = () => {
      const is_program = magic.test(model.sharedModel.getSource());
      if (is_program && model.mimeType !== mime) {
        other = model.mimeType;
        model.mimeType = mime;
      } else if (!is_program && model.mimeType === mime) {
        model.mimeType = other;
      }
    };
    model.contentChanged.connect(update);
    model.mimeTypeChanged.connect(update);
    update();
  }

  function watch_notebook(panel) {
    const cells = panel.content.model.cells;
    const seen = new WeakSet();
    const update = () => {
      for (const model of cells) {
        if (!seen.has(model)) watch_cell(model);
        seen.add(model);
      }
    };
    cells.changed.connect(update);
    update();
  }

  async function extension() {
    const { INotebookTracker } = await module_of('@jupyterlab/notebook');
    const { IEditorLanguageRegistry } = await module_of('@jupyterlab/codemirror');
    return {
      id: 'course-jupyter:cuda',
      autoStart: true,
      requires: [INotebookTracker, IEditorLanguageRegistry],
      activate: (app, notebooks, languages) => {
        add_language(languages);
        notebooks.widgetAdded.connect((_, panel) => panel.context.ready.then(() => watch_notebook(panel)));
      },
    };
  }

  window._JUPYTERLAB = window._JUPYTERLAB || {};
  window._JUPYTERLAB['course-jupyter'] = {
    init: (scope) => {
      shared = scope;
    },
    get: async () => {
      const plugin = await extension();
      return () => ({ __esModule: true, default: plugin });
    },
  };
})();
