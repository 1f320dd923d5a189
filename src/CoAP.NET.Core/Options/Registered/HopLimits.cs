using System.Diagnostics.CodeAnalysis;

namespace CoAP.Options;

/// <summary>What a proxy does with the Hop-Limit of a request that it forwards (RFC 8768, section 3).</summary>
internal static class HopLimits
{
    /// <summary>What a proxy starts with where the request says nothing.</summary>
    public const int Initial = 16;

    /// <summary>The options of the request as it is forwarded: one hop less, or <see cref="Initial"/> where there was no limit.</summary>
    /// <param name="options">As they were received. A limit with a wrong value counts as none: the option is elective.</param>
    /// <param name="name">Tells this proxy from others, for the diagnostic message of a 5.08: a host name, an alias, an address.</param>
    /// <param name="forwarded">What goes on.</param>
    /// <param name="diagnostic">The payload of the 5.08 (Hop Limit Reached) that is the answer instead.</param>
    /// <returns>Whether the request may be forwarded.</returns>
    public static bool TryForward(in OptionSet options, string name, out OptionSet forwarded, [NotNullWhen(false)] out string? diagnostic)
    {
        var left = options.Get<HopLimit>() is { } limit ? limit.Value - 1 : Initial;
        diagnostic = left == 0 ? name : null;
        forwarded = left == 0 ? default : options.Without(HopLimit.Declaration.Number).With(new HopLimit(left));
        return left > 0;
    }

    /// <summary>The payload of a 5.08 on its way back through this proxy: its name goes in front of those behind it, so that the loop can be seen.</summary>
    /// <param name="name">This proxy's.</param>
    /// <param name="received">The payload as it came.</param>
    /// <param name="limit">The most characters that may be sent; where there is no room the payload stays as it came.</param>
    public static string Prepend(string name, string received, int limit) =>
        name.Length + 1 + received.Length <= limit ? $"{name} {received}" : received;
}
