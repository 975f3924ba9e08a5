import { stem } from './stem.ts';

/** Words that code often writes short. A question has the long one; the code, either. */
const PAIRS =
  'abbreviation abbr, accumulator acc, address addr, administrator admin, allocate alloc, alternative alt, ' +
  'application app, argument arg, asynchronous async, attribute attr, authenticate auth, authentication auth, ' +
  'authorization auth, average avg, binary bin, boolean bool, buffer buf, button btn, calculate calc, ' +
  'callback cb, certificate cert, character char, column col, command cmd, configuration config, ' +
  'configure config, connection conn, context ctx, control ctrl, copy cp, count cnt, current cur, current curr, ' +
  'database db, decimal dec, declaration decl, decrement dec, default def, definition def, delete del, ' +
  'delimiter delim, dependency dep, description desc, destination dest, destination dst, dictionary dict, ' +
  'difference diff, directory dir, distance dist, document doc, documentation doc, duration dur, element elem, ' +
  'enumerate enum, environment env, error err, evaluate eval, event evt, exception exc, execute exec, ' +
  'expression expr, extension ext, format fmt, frequency freq, function fn, function func, generate gen, ' +
  'identifier id, image img, implementation impl, increment inc, index idx, information info, initialise init, ' +
  'initialization init, initialize init, instance inst, instruction instr, integer int, interface iface, ' +
  'iterate iter, iterator iter, language lang, length len, library lib, location loc, manager mgr, maximum max, ' +
  'memory mem, message msg, minimum min, multiple multi, namespace ns, negative neg, network net, number num, ' +
  'object obj, operation op, operator op, option opt, original orig, package pkg, parameter param, ' +
  'password passwd, password pwd, pattern pat, percent pct, pointer ptr, position pos, preference pref, ' +
  'previous prev, priority prio, process proc, property prop, quantity qty, random rand, receive recv, ' +
  'rectangle rect, recursive rec, reference ref, register reg, relative rel, remove rm, repository repo, ' +
  'representation repr, request req, resource res, response resp, result res, reverse rev, revision rev, ' +
  'separator sep, sequence seq, server srv, service svc, signature sig, source src, specification spec, ' +
  'standard std, statement stmt, statistics stats, string str, structure struct, substitute sub, symbol sym, ' +
  'synchronize sync, synchronous sync, system sys, table tbl, temporary temp, temporary tmp, terminal term, ' +
  'text txt, token tok, transaction tx, unsigned uint, update upd, utility util, value val, variable var, ' +
  'vector vec, version ver, volume vol, window win';

/** Stem of the long word → stems of the short ones. */
export const ABBREVIATIONS: ReadonlyMap<string, readonly string[]> = table();

function table(): Map<string, string[]> {
  const short = new Map<string, string[]>();
  for (const pair of PAIRS.split(', ')) {
    const [long, abbreviation] = pair.split(' ').map(stem) as [string, string];
    const known = short.get(long);
    if (known) known.push(abbreviation);
    else short.set(long, [abbreviation]);
  }
  return short;
}
