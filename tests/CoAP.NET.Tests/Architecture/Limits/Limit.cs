using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;

namespace CoAP.Tests.Architecture.Limits;

/// <summary>A row of the tables in docs/limits.md.</summary>
/// <param name="Property">The property of the settings, as a path from the settings of an endpoint. A rename therefore breaks the build.</param>
/// <param name="Root">The settings with the default.</param>
internal sealed record Limit(LambdaExpression Property, object Root)
{
    /// <summary>The unit of a number. The number of bytes is shown in KiB, MiB or GiB.</summary>
    public required string Unit { get; init; }

    /// <summary>What the limit bounds.</summary>
    public required string Bounds { get; init; }

    /// <summary>Why the default has this value, or why there is a limit.</summary>
    public required string Why { get; init; }

    /// <summary>What happens at the limit.</summary>
    public required string Reaction { get; init; }

    /// <summary>The instrument that counts what happens at the limit, or shows how much of it is used; <see langword="null"/> if there is none.</summary>
    public string? Metric { get; init; }

    /// <summary>The resource of the ledger that shares the limit among accounts, several that each have all of it ("a, b"), or two that have a half each ("a and b"); <see langword="null"/> if it is not shared.</summary>
    public string? Shared { get; init; }

    /// <summary>The resources of the ledger, with the part of the limit that each has.</summary>
    public IEnumerable<(string Resource, long Part)> Parts
    {
        get
        {
            var parts = Shared?.Split(" and ") ?? [];
            return parts.SelectMany(part => part.Split(", "))
                .Select(resource => (resource, Convert.ToInt64(Default, CultureInfo.InvariantCulture) / parts.Length));
        }
    }

    /// <summary>The text for a default that depends on the machine or is <see langword="null"/>, and the value that it describes.</summary>
    public (string Text, object? Value)? Special { get; init; }

    public object? Default => Property.Compile().DynamicInvoke(Root);

    public PropertyInfo Member => (PropertyInfo)Access.Member;

    public string Name => (Access.Expression is ParameterExpression && Root is CoapEndpointSettings ? "" : Member.DeclaringType!.Name + ".") + Member.Name;

    public string Row => $"| `{Name}` | {Text} | {Sentence(Bounds)} {Sentence(Why)} | {Reaction} | {Counted} |";

    private MemberExpression Access => (MemberExpression)(Property.Body is UnaryExpression box ? box.Operand : Property.Body);

    private string Text => Special?.Text ?? Default switch
    {
        TimeSpan time => TextOf(time),
        IConvertible number when Unit == "bytes" => TextOf(number.ToInt64(CultureInfo.InvariantCulture)),
        double share => share.ToString(CultureInfo.InvariantCulture),
        IFormattable number => $"{number.ToString("N0", CultureInfo.InvariantCulture)} {Unit}".TrimEnd(),
        _ => throw new InvalidOperationException($"{Name} needs a special text for its default."),
    };

    private string Counted => string.Join(
        ", ", new[] { Metric is null ? null : $"`{Metric}`", Shared is null ? null : "shared as " + Shared }.OfType<string>());

    private static string Sentence(string text) => $"{char.ToUpperInvariant(text[0])}{text[1..]}.";

    private static string TextOf(TimeSpan time) => time switch
    {
        _ when time.TotalHours is >= 1 and var hours && hours == Math.Floor(hours) => $"{hours} h",
        _ when time.TotalMinutes is >= 2 and var minutes && minutes == Math.Floor(minutes) => $"{minutes} min",
        _ when time.TotalSeconds >= 1 => $"{time.TotalSeconds} s",
        _ => $"{time.TotalMilliseconds} ms",
    };

    private static string TextOf(long bytes) => bytes switch
    {
        >= 1 << 30 when bytes % (1 << 30) == 0 => $"{bytes >> 30} GiB",
        >= 1 << 20 when bytes % (1 << 20) == 0 => $"{bytes >> 20} MiB",
        >= 1 << 10 when bytes % (1 << 10) == 0 => $"{bytes >> 10} KiB",
        _ => string.Create(CultureInfo.InvariantCulture, $"{bytes:N0} bytes"),
    };
}
