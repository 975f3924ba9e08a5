/** Kinds of symbols and completions are numbers from 1 on; all that the protocol has. */
const ALL_SYMBOLS = Array.from({ length: 26 }, (_, index) => index + 1);

/**
 * What we tell a server that we can do. Diagnostics may be pulled or published, whichever the server does; files are
 * changed by us alone, so that edits are asked for and never applied.
 * @param progress the server tells what it is busy with
 */
export function clientCapabilities(progress: boolean): Record<string, unknown> {
  return {
    general: { positionEncodings: ['utf-16'], staleRequestSupport: { cancel: true, retryOnContentModified: [] } },
    window: { workDoneProgress: progress, showDocument: { support: false } },
    workspace: {
      applyEdit: false,
      configuration: true,
      workspaceFolders: true,
      didChangeConfiguration: { dynamicRegistration: true },
      didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
      diagnostics: { refreshSupport: true },
      symbol: { symbolKind: { valueSet: ALL_SYMBOLS } },
      workspaceEdit: { documentChanges: true, resourceOperations: ['create', 'rename', 'delete'] },
    },
    textDocument: {
      synchronization: { dynamicRegistration: true, didSave: true },
      publishDiagnostics: { versionSupport: true, relatedInformation: true, codeDescriptionSupport: false },
      diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
      hover: { contentFormat: ['markdown', 'plaintext'] },
      definition: { linkSupport: true },
      typeDefinition: { linkSupport: true },
      implementation: { linkSupport: true },
      references: {},
      callHierarchy: {},
      documentSymbol: { hierarchicalDocumentSymbolSupport: true, symbolKind: { valueSet: ALL_SYMBOLS } },
      rename: { prepareSupport: false },
      codeAction: {
        codeActionLiteralSupport: {
          codeActionKind: {
            valueSet: ['', 'quickfix', 'refactor', 'source', 'source.organizeImports', 'source.fixAll'],
          },
        },
        dataSupport: true,
        resolveSupport: { properties: ['edit'] },
      },
    },
    experimental: { serverStatusNotification: true },
  };
}
