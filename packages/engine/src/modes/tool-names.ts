/**
 * Every tool that the product has or will have (IDE-73), and those that belong to them. A built-in mode may name one that
 * this version lacks: the registry offers what there is.
 */
export const TOOL_NAMES: ReadonlySet<string> = new Set(
  (
    'read_file write_file edit_file list_directory grep_search codebase_search web_search run_command create_artifact ' +
    'update_plan update_mindmap complete_task cancel_task remember spawn_subagent schedule_task browser_open ' +
    'browser_click browser_type browser_read browser_screenshot browser_close mcp_call apply_patch code_graph lsp ' +
    'ast_grep ast_edit resolve debug call_tool describe_tool ask_user web_fetch command_output stop_command'
  ).split(' '),
);
