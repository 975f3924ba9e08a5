/** What lets programs find the proxy on 127.0.0.1; addresses of the sandbox's own loopback go without. */
export function proxyVariables(
  port: number,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`;
  const direct = 'localhost,127.0.0.1,::1';
  const java = ['http', 'https']
    .map((scheme) => `-D${scheme}.proxyHost=127.0.0.1 -D${scheme}.proxyPort=${port}`)
    .join(' ');
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: direct,
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    no_proxy: direct,
    // Its own settings would go before the variables.
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    npm_config_noproxy: direct,
    // Else npm looks for a newer npm now and then, whatever it was asked to do.
    npm_config_update_notifier: 'false',
    YARN_HTTP_PROXY: proxy,
    YARN_HTTPS_PROXY: proxy,
    PIP_PROXY: proxy,
    CARGO_HTTP_PROXY: proxy,
    // Node's own fetch looks at the variables only when told to.
    NODE_USE_ENV_PROXY: '1',
    GRADLE_OPTS: [env.GRADLE_OPTS, java].filter(Boolean).join(' '),
    MAVEN_OPTS: [env.MAVEN_OPTS, java].filter(Boolean).join(' '),
  };
}
