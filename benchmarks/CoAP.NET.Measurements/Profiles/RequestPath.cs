namespace CoAP.Measurements.Profiles;

/// <summary>Says which part of the request path a sample belongs to.</summary>
internal static class RequestPath
{
    public const string Kernel = "kernel";
    public const string Runtime = "runtime";
    private const string Transport = "transport";
    private const string Codec = "codec";
    private const string Mesh = "mesh";
    private const string MessageLayer = "message layer";
    private const string Handler = "handler";

    // The first that the type's name begins with. Whole names stand before the namespaces that they are exceptions of.
    private static readonly (string Prefix, string Part, string Detail)[] Parts =
    [
        ("CoAP.Handlers.DeserializerStage", Codec, "reading"),
        ("CoAP.Handlers.SerializerStage", Codec, "writing"),
        ("CoAP.Handlers.RequestHandler", Handler, "routing and call"),
        ("CoAP.Handlers.HandlerPipeline", Handler, "routing and call"),
        ("CoAP.Handlers.HandlerThreads", Handler, "buffered stage"),
        ("CoAP.Handlers.Deduplication", MessageLayer, "deduplication"),
        ("CoAP.Reliability.Deduplication", MessageLayer, "deduplication"),
        ("CoAP.Reliability.Received", MessageLayer, "deduplication"),
        ("CoAP.Reliability.Answer", MessageLayer, "deduplication"),
        ("CoAP.Handlers", MessageLayer, "stages"),
        ("CoAP.Channels", MessageLayer, "channels and exchanges"),
        ("CoAP.Reliability", MessageLayer, "reliability"),
        ("CoAP.Blockwise", MessageLayer, "blocks"),
        ("CoAP.Observing", MessageLayer, "observations"),
        ("CoAP.Freshness", MessageLayer, "freshness"),
        ("CoAP.Signaling", MessageLayer, "signals"),
        ("CoAP.Transports", Transport, ""),
        ("CoAP.Blocks", Mesh, "arrows"),
        ("CoAP.Mesh", Mesh, "lanes"),
        ("CoAP.Serialization", Codec, ""),
        ("CoAP.Options", Codec, "options"),
        ("CoAP.CoapMessage", Codec, "messages"),
        ("CoAP.Resources", Handler, "routing and call"),
        ("CoAP.Resource", Handler, "routing and call"),
        ("CoAP.Response", Handler, "response"),
        ("CoAP.CoapResponse", Handler, "response"),
        ("CoAP.Received", Handler, "request"),
        ("CoAP.", MessageLayer, "values"),
        ("SampleServer.", Handler, "the sample's own"),
    ];

    private static readonly (string Symbol, string Detail)[] Calls =
    [
        ("sys_sendm", "sending"), ("sys_sendto", "sending"), ("sys_write", "sending"),
        ("sys_recv", "receiving"), ("sys_read", "receiving"),
        ("sys_ppoll", "waiting"), ("sys_poll", "waiting"), ("sys_epoll", "waiting"),
        ("sys_futex", "threads"), ("sys_sched_yield", "threads"),
    ];

    /// <summary>The part of one sample.</summary>
    /// <param name="thread">The thread's name.</param>
    /// <param name="stack">Its frames, the innermost first.</param>
    public static Share Of(string thread, IReadOnlyList<FrameName> stack)
    {
        if (stack.Count == 0) { return new Share(Runtime, "unknown"); }
        if (stack[0].IsKernel) { return new Share(Kernel, CallOf(stack)); }
        if (thread.StartsWith(".NET Tiered", StringComparison.Ordinal) || stack[0].File.Contains("clrjit", StringComparison.Ordinal)) { return new Share(Runtime, "compiler"); }
        if (stack[0].File.Contains("coreclr", StringComparison.Ordinal) || stack[0].Symbol.StartsWith("__memset", StringComparison.Ordinal))
        {
            return new Share(Runtime, "allocation and collection");
        }
        if (stack[0].Symbol.Contains("clock_gettime", StringComparison.Ordinal)) { return new Share(Runtime, "clock"); }

        // What the class library does belongs to whoever called it.
        foreach (var frame in stack)
        {
            if (frame.Type is not { } type) { continue; }
            foreach (var (prefix, part, detail) in Parts)
            {
                if (type.StartsWith(prefix, StringComparison.Ordinal)) { return new Share(part, detail); }
            }
        }
        return new Share(Runtime, "other");
    }

    private static string CallOf(IReadOnlyList<FrameName> stack)
    {
        foreach (var frame in stack)
        {
            foreach (var (symbol, detail) in Calls)
            {
                if (frame.IsKernel && frame.Symbol.Contains(symbol, StringComparison.Ordinal)) { return detail; }
            }
        }
        return "other";
    }
}
