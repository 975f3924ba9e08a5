import type { Basis } from './basis.ts';
import { ChainReader } from './chains.ts';
import { ClassMembers } from './class-members.ts';
import { Evaluator } from './evaluator.ts';
import { HeadTypes } from './head-types.ts';
import { Homes } from './homes.ts';
import { ImportResolver } from './import-resolver.ts';
import { ModuleExports } from './module-exports.ts';
import { Packages } from './packages.ts';
import { ReferenceResolver } from './reference-resolver.ts';
import { Scopes } from './scopes.ts';

export interface Resolvers {
  imports: ImportResolver;
  references: ReferenceResolver;
}

/** The resolver, put together for one state of the tables. */
export function resolversOf(basis: Basis): Resolvers {
  const chains = new ChainReader(basis.tables.names);
  const packages = new Packages(basis);
  const exports = new ModuleExports(basis, packages);
  const scopes = new Scopes(basis, packages, exports);
  const heads = new HeadTypes(basis, packages, exports, scopes, chains);
  const homes = new Homes(basis, heads, packages, chains);
  const members = new ClassMembers(basis, heads, homes);
  const evaluator = new Evaluator(basis, packages, exports, scopes, members, chains, homes);
  return {
    imports: new ImportResolver(basis, packages),
    references: new ReferenceResolver(basis, scopes, members, evaluator, chains, homes),
  };
}
