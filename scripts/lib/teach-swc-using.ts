import type { Statement, VariableDeclarator } from '@swc/core';
import { Visitor } from '@swc/core/Visitor.js';

/**
 * Lets swc's visitor, through which dependency-cruiser walks a module, pass `using` declarations. It throws at them
 * otherwise, and nothing of that module is read.
 */
export function teachSwcUsing(): void {
  const visitStatement = Visitor.prototype.visitStatement;
  Visitor.prototype.visitStatement = function (this: Visitor, statement: Statement | UsingDeclaration): Statement {
    if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
    this.visitVariableDeclarators(statement.decls);
    return statement as unknown as Statement;
  };
}

/** `using x = …` or `await using x = …`, as the parser gives it and the package's types do not yet say. */
interface UsingDeclaration {
  type: 'UsingDeclaration';
  decls: VariableDeclarator[];
}
