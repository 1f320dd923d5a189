using System.Text.Json.Nodes;

namespace CoAP.Interop.Tests.Browser;

/// <summary>A tab of the browser: where it is, what its page holds, and scripts that run in it.</summary>
internal sealed class Tab
{
    // Completes as soon as the page is as it should be: it is looked at after each change, and not time after time.
    private const string Waiting = """
        new Promise(resolve => {
          const observer = new MutationObserver(check);
          function check() {
            if (!(CONDITION)) { return; }
            observer.disconnect();
            resolve(true);
          }
          observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
          check();
        })
        """;

    private readonly DevTools _tools;
    private readonly string _target;
    private readonly string _session;

    private Tab(DevTools tools, string target, string session) => (_tools, _target, _session) = (tools, target, session);

    public static async Task<Tab> OpenAsync(DevTools tools, Uri page, string before)
    {
        var target = (string)(await tools.CallAsync("Target.createTarget", new { url = "about:blank" }))["targetId"]!;
        var session = (string)(await tools.CallAsync("Target.attachToTarget", new { targetId = target, flatten = true }))["sessionId"]!;
        var tab = new Tab(tools, target, session);
        await tab.CallAsync("Page.enable");
        await tab.CallAsync("Page.setLifecycleEventsEnabled", new { enabled = true });
        await tab.CallAsync("Page.addScriptToEvaluateOnNewDocument", new { source = before });
        await tab.GoAsync(page);
        return tab;
    }

    /// <summary>Goes to another page and waits until it is loaded.</summary>
    public async Task GoAsync(Uri page)
    {
        var answer = await CallAsync("Page.navigate", new { url = page.ToString() });
        var loader = (string)answer["loaderId"]!;
        await _tools.EventAsync(one => (string?)one["method"] == "Page.lifecycleEvent"
            && (string?)one["params"]!["loaderId"] == loader && (string?)one["params"]!["name"] == "load");
    }

    /// <summary>The value of an expression; promises are waited for.</summary>
    public async Task<JsonNode?> EvaluateAsync(string expression)
    {
        var answer = await CallAsync("Runtime.evaluate", new { expression, awaitPromise = true, returnByValue = true });
        return answer["exceptionDetails"] is { } error
            ? throw new InvalidOperationException($"{expression}: {error.ToJsonString()}")
            : answer["result"]!["value"];
    }

    /// <summary>Waits until a condition on the page holds.</summary>
    public async Task UntilAsync(string condition)
    {
        try { await EvaluateAsync(Waiting.Replace("CONDITION", condition, StringComparison.Ordinal)); }
        catch (TimeoutException)
        {
            throw new TimeoutException($"The page is not so that {condition}:\n{await EvaluateAsync("document.body.innerText")}");
        }
    }

    /// <summary>Waits until the page says that the connection is in a state, and returns its words.</summary>
    public async Task<string> StateAsync(string state)
    {
        await UntilAsync($"document.getElementById('state').dataset.state === '{state}'");
        return await TextAsync("state");
    }

    public async Task<string> TextAsync(string id) => (string)(await EvaluateAsync($"document.getElementById('{id}').textContent"))!;

    public Task CloseAsync() => _tools.CallAsync("Target.closeTarget", new { targetId = _target });

    private Task<JsonNode> CallAsync(string method, object? parameters = null) => _tools.CallAsync(method, parameters, _session);
}
