using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace CoAP.Hosting.Tests.Mistakes;

/// <summary>Code with a mistake that new users make, and what they get to read.</summary>
internal sealed partial record Mistake(string Code, Func<Task<string>> Make)
{
    /// <summary>Code that throws.</summary>
    public static Mistake Throws(Action make, [CallerArgumentExpression(nameof(make))] string code = "") => Throws(() =>
    {
        make();
        return Task.CompletedTask;
    }, code);

    /// <inheritdoc cref="Throws(Action, string)"/>
    public static Mistake Throws(Func<object?> make, [CallerArgumentExpression(nameof(make))] string code = "") => Throws(() => { _ = make(); }, code);

    /// <inheritdoc cref="Throws(Action, string)"/>
    public static Mistake Throws(Func<Task> make, [CallerArgumentExpression(nameof(make))] string code = "") => new(TextOf(code), async () =>
    {
        try { await make(); }
        catch (Exception exception)
        {
            return $"{exception.GetType().Name}: {exception.Message}";
        }
        return "no error";
    });

    /// <summary>Code that gets an error response.</summary>
    public static Mistake Answers(Func<Task<CoapResponse>> make, [CallerArgumentExpression(nameof(make))] string code = "") => new(TextOf(code), async () =>
    {
        var response = await make();
        var text = response.Problem is { } problem ? $"{problem.Title} {problem.Detail}".Trim() : response.PayloadText;
        return $"{response.Code} {text}".Trim();
    });

    /// <summary>The row of the page. Ports and addresses of memory differ from run to run.</summary>
    public async Task<string> RowAsync() => $"| `{Code}` | {Port().Replace((await Make()).Replace(AppContext.BaseDirectory.TrimEnd('/'), "…", StringComparison.Ordinal), "${before}PORT").ReplaceLineEndings(" ").Replace("|", "\\|", StringComparison.Ordinal)} |";

    private static string TextOf(string code) => Space().Replace(Start().Replace(code, ""), " ").Replace("|", "\\|", StringComparison.Ordinal);

    [GeneratedRegex(@"(?<before>(127\.0\.0\.1|\[::1\]|localhost|port):?\s?)\d{5}")]
    private static partial Regex Port();

    [GeneratedRegex(@"^(async )?\(\) => (await )?")]
    private static partial Regex Start();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Space();
}
