namespace CoAP.Benchmarks.Load;

/// <summary>A server over UDP with two resources: one for values in one format, the other one for plain bytes.</summary>
internal sealed class PayloadsService(MeasuredFormat format)
{
    /// <summary>The paths of the two resources.</summary>
    public const string Typed = "typed", Bytes = "bytes";

    /// <summary>Questions for the number of handled requests, and for the bytes that the process has allocated.</summary>
    public const string Handled = "handled", Allocated = "allocated";

    private long _handled;

    public static Task<IService> StartAsync(ServiceValues values) => StartAsync(MeasuredFormat.Of(values["format"]));

    public static Task<IService> StartAsync(MeasuredFormat format)
    {
        var service = new PayloadsService(format);
        var settings = Limits.Server with { Formats = PayloadFormats.Of(format.Format) };
        return CoapService.StartAsync(settings, ["udp"], service.Map, service.Answer);
    }

    private void Map(CoapServer server)
    {
        server.Resources.At(Typed).Post(request =>
        {
            _handled++; // One lane, so one thread.
            return format.Handle(request);
        }, HandlerMode.Inline);
        server.Resources.At(Bytes).Post(request =>
        {
            _handled++;
            return Next(request);
        }, HandlerMode.Inline);
    }

    // Reads all bytes, as the typed handler does, and returns as many.
    private static CoapResponse Next(IncomingRequest request)
    {
        var answer = request.Payload.ToArray();
        answer[^1]++;
        return Response.Content(answer, ContentFormats.OctetStream);
    }

    private string Answer(string question) => question switch
    {
        Handled => $"{Volatile.Read(ref _handled)}",
        Allocated => $"{GC.GetTotalAllocatedBytes(precise: true)}",
        _ => "",
    };
}
