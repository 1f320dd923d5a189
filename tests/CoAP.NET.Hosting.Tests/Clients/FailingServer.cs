using CoAP.Options;
using Polly;

namespace CoAP.Hosting.Tests.Clients;

/// <summary>A sender whose first requests fail.</summary>
internal sealed class FailingServer(int failures, uint? maxAge = null, Exception? error = null) : IRequestSender
{
    private readonly List<long> _starts = [];

    public int Attempts { get; private set; }

    public static CoapCode CodeOf(string method) => method switch
    {
        "GET" => RequestCode.Get,
        "PUT" => RequestCode.Put,
        "POST" => RequestCode.Post,
        "DELETE" => RequestCode.Delete,
        "FETCH" => RequestCode.Fetch,
        "PATCH" => RequestCode.Patch,
        _ => RequestCode.IPatch,
    };

    public IRequestSender SenderWith(Action<ResiliencePipelineBuilder<CoapResponse>> configure, TimeProvider? time = null)
    {
        var builder = new ResiliencePipelineBuilder<CoapResponse> { TimeProvider = time };
        configure(builder);
        return this.Through(new ResilienceStep(builder.Build()));
    }

    /// <summary>The stream of the body.</summary>
    public Stream? Body { get; init; }

    /// <summary>The positions at which the stream stood when the requests came.</summary>
    public IReadOnlyList<long> StartsOfBodies => _starts;

    public ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default) => new(Send(request, cancellationToken));

    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        if (Body is not null)
        {
            _starts.Add(Body.Position);
            Body.ReadByte();
        }
        if (Attempts++ >= failures) { return Response.Changed; }
        if (error is not null) { throw error; }
        return maxAge is { } seconds
            ? new CoapResponse(ResponseCode.ServiceUnavailable) { Options = [new MaxAge(seconds)] }
            : new CoapResponse(ResponseCode.ServiceUnavailable);
    }
}
