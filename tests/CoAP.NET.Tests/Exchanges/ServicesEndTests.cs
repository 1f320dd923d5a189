using System.Collections.Concurrent;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges;

/// <summary>The services of a request end with it, whether a handler was called or not.</summary>
public sealed class ServicesEndTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Wire _wire = new(new ManualClock());
    private readonly ConcurrentQueue<Services> _created = new();
    private readonly LateAnswer _late = new();
    private readonly ScriptedPeer _client;
    private IncomingRequest? _request;
    private LaneEnd? _server;

    public ServicesEndTests() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        _server?.Dispose();
        _client.Dispose();
    }

    [Fact]
    public async Task Services_that_a_filter_has_read_end_with_the_request_that_it_drops()
    {
        Serve(MeshLink.Filter(MeshArrow.Requests, static request => request.Services is null));

        _client.Send("NON [0x0001] GET /x (Token 0x01)");
        _client.ExpectNothing(seconds: 1);

        await Only().Disposed.WaitAsync(Patience);
    }

    [Fact]
    public async Task Services_that_a_filter_has_read_end_with_the_request_that_a_stage_refuses()
    {
        Serve(MeshLink.Filter(MeshArrow.UnderstoodRequests, static request => request.Services is not null));

        _client.Send("CON [0x0001] GET /x (Token 0x01) {Block1: 0/0/16}");
        _client.TakeAll(seconds: 1);

        _client.Received.Should().ContainSingle().Which[1].Should().Be((4 << 5) | 2, "a GET with Block1 is 4.02");
        await Only().Disposed.WaitAsync(Patience);
    }

    [Fact]
    public async Task Services_that_are_read_after_the_handler_end_with_the_request()
    {
        Serve(MeshLink.Filter(MeshArrow.Answers, static answer => answer.Request.Services is not null));

        _client.Send("CON [0x0001] GET /x (Token 0x01)");
        _client.Expect("ACK [0x0001] 2.04 Changed (Token 0x01)");

        await Only().Disposed.WaitAsync(Patience);
    }

    [Fact]
    public void A_request_that_has_ended_has_no_services()
    {
        Serve();
        _client.Send("CON [0x0001] GET /x (Token 0x01)");
        _client.Expect("ACK [0x0001] 2.04 Changed (Token 0x01)");

        _request!.Services.Should().BeNull();
        _created.Should().BeEmpty();
    }

    [Fact]
    public async Task A_handler_that_still_runs_keeps_its_services_when_its_request_is_lost()
    {
        Serve();
        _client.Send("CON [0x0001] GET /late (Token 0x01)");
        _client.Expect("ACK [0x0001] 0.00");
        var services = _request!.Services;

        _server!.Dispose();

        _request.Services.Should().BeSameAs(services);
        Only().Disposed.IsCompleted.Should().BeFalse();
        _late.Answer(Response.Changed);
        await Only().Disposed.WaitAsync(Patience);
        _request.Services.Should().BeNull();
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public async Task A_handler_that_reads_a_body_while_it_arrives_has_services_after_the_first_block_was_answered()
    {
        Serve(MeshLink.Filter(MeshArrow.UnderstoodRequests, static request => request.Services is not null));
        _client.Send("CON [0x0001] PUT /late (Token 0x01) {Block1: 0/1/16} '0123456789abcdef'");
        _client.Expect("ACK [0x0001] 2.31 Continue (Token 0x01) {Block1: 0/1/16}");

        _request!.Services.Should().BeSameAs(Only());
        Only().Disposed.IsCompleted.Should().BeFalse();
        _late.Answer(Response.Changed);
        _client.Send("CON [0x0002] PUT /late (Token 0x02) {Block1: 1/0/16} 'x'");      // the answer is sent with the last block, and the request ends
        _client.TakeAll(seconds: 1);

        await Task.WhenAll(_created.Select(static services => services.Disposed)).WaitAsync(Patience);     // the last block is a request, too
    }

    [Fact]
    public async Task Services_that_fail_to_end_without_a_handler_are_logged()
    {
        Serve(MeshLink.Filter(MeshArrow.Requests, static request => ((Services)request.Services!).Fails() is null));

        _client.Send("NON [0x0001] GET /x (Token 0x01)");
        _client.ExpectNothing(seconds: 1);

        (await _server!.Log.FirstError.WaitAsync(Patience)).Should().Contain("could not be disposed of");
    }

    private Services Only() => _created.Should().ContainSingle().Subject;

    private void Serve(params MeshLink[] links) => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            map.At("x").Get(Keep, HandlerMode.Inline);
            map.At("late").StreamsBody().Get(KeepAsync).Put(KeepAsync);
        },
        new() { RequestServices = Create, Links = links });

    private CoapResponse Keep(IncomingRequest request)
    {
        _request = request;
        return Response.Changed;
    }

    private ValueTask<CoapResponse> KeepAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        _request = request;
        return _late.HandleAsync(request, cancellationToken);
    }

    private Services Create(IncomingRequest request)
    {
        var services = new Services();
        _created.Enqueue(services);
        return services;
    }

    private sealed class Services : IServiceProvider, IAsyncDisposable
    {
        private readonly TaskCompletionSource _disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private Exception? _failure;

        public Task Disposed => _disposed.Task;

        public Exception Fails() => _failure = new InvalidOperationException("The work is lost.");

        public object? GetService(Type serviceType) => null;

        public ValueTask DisposeAsync()
        {
            _disposed.SetResult();      // throws if it is called twice
            return _failure is null ? default : throw _failure;
        }
    }
}
