using System.Diagnostics;
using static CoAP.Options.OptionDeclaration;

namespace CoAP.Options;

/// <summary>
/// The place of a request in a distributed trace (W3C Trace Context, version 00, in binary form). Its number is 65020, from the range for experiments
/// (65000 to 65535; RFC 7252, section 12.2).
/// </summary>
/// <remarks>
/// Numbers for experiments "MUST NOT be used in operational deployments" (RFC 7252, section 12.2), because others may use
/// them for something else. So use the option only between endpoints that you control. It is elective and safe to forward, and not part of the cache key
/// (RFC 7252, section 5.4.6). A peer that does not know the option ignores it, and a proxy that does not know it forwards it.
/// </remarks>
/// <param name="Value">25 bytes: 16 of the trace ID, 8 of the span ID and 1 of the flags.</param>
public sealed record TraceParent(ReadOnlyMemory<byte> Value) : OpaqueOption(Declaration, Value), IDeclaredOption
{
    private const int TraceIdLength = 16;
    private const int SpanIdLength = 8;
    private const int Length = TraceIdLength + SpanIdLength + 1;

    /// <inheritdoc/>
    public static OptionDeclaration Declaration { get; } = Opaque(65_020, "Trace-Parent", Length, Length, value => new TraceParent(value));

    /// <summary>Returns the option for a span.</summary>
    /// <param name="context">The trace ID, the span ID and the flags.</param>
    public static TraceParent Of(in ActivityContext context)
    {
        var value = new byte[Length];
        context.TraceId.CopyTo(value.AsSpan(0, TraceIdLength));
        context.SpanId.CopyTo(value.AsSpan(TraceIdLength, SpanIdLength));
        value[^1] = (byte)context.TraceFlags;
        return new TraceParent(value);
    }

    /// <summary>Returns the span of the sender. Returns <see langword="false"/> if an ID is zero, which W3C Trace Context forbids.</summary>
    /// <param name="traceState">The value of <see cref="TraceState"/>; <see langword="null"/> if the request has none. Ignored if it is malformed.</param>
    /// <param name="context">The span, marked as remote.</param>
    public bool TryGetContext(string? traceState, out ActivityContext context)
    {
        var value = Value.Span;
        context = default;
        if (!value[..TraceIdLength].ContainsAnyExcept((byte)0) || !value[TraceIdLength..^1].ContainsAnyExcept((byte)0)) { return false; }
        // A propagator writes the state into headers, where a malformed one does harm.
        traceState = TraceStateMembers.Normalize(traceState);
        var flags = (ActivityTraceFlags)value[^1] & ActivityTraceFlags.Recorded;    // receivers ignore the other flags
        context = new ActivityContext(
            ActivityTraceId.CreateFromBytes(value[..TraceIdLength]), ActivitySpanId.CreateFromBytes(value[TraceIdLength..^1]), flags, traceState, isRemote: true);
        return true;
    }
}
