import { isAbsolute, join } from 'node:path';

/** What shells, logins, desktops and tools run, load or trust from a home folder. */
const NAMES = (
  '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc ' +
  '.cshrc .tcshrc .login .inputrc .pam_environment .xprofile .xinitrc .xsession .xsessionrc .Xresources .tmux.conf .screenrc ' +
  '.ssh .gnupg .aws .azure .kube .docker .password-store .netrc .pgpass .my.cnf .git-credentials .gitconfig .config ' +
  '.npmrc .yarnrc .yarnrc.yml .pypirc .pip .condarc .gemrc .bundle .curlrc .wgetrc .gdbinit .lldbinit .vimrc .vim .nvim .emacs ' +
  '.emacs.d .m2 .gradle .ivy2 .sbt .cargo .rustup .nvm .pyenv .rbenv .asdf .sdkman .local/bin .local/share bin .terraformrc ' +
  '.terraform.d .pythonrc .irbrc .psqlrc .sqliterc .Rprofile .jupyter .ipython .mozilla .thunderbird .forward .rhosts .crontab Library'
).split(' ');

/**
 * What a tool must not write unasked where the workspace is the home folder itself, or a folder that it is in: it would
 * run with the next login. Absolute paths; empty where the environment names no home. A workspace below one of them
 * (`~/.config/nvim`) was opened to be worked on.
 */
export function homeConfiguration(
  { HOME: home }: Readonly<Record<string, string | undefined>>,
  root: string,
): string[] {
  if (!home || !isAbsolute(home) || home === '/') return [];
  return NAMES.map((name) => join(home, name)).filter((path) => !root.startsWith(`${path}/`));
}
