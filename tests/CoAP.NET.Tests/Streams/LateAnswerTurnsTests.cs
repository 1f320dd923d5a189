using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Streams;

/// <summary>The answers that handlers give later are sent in the turns of their accounts.</summary>
public sealed class LateAnswerTurnsTests : IDisposable
{
    private const int Many = 512;

    private static readonly byte[] Csm = [0x00, 0xE1];

    private readonly Wire _wire = new(new ManualClock());
    private readonly LateAnswer _late = new();
    private readonly StreamLaneEnd _server;
    private readonly IStreamConnection _greedy;
    private int _pendingAtHonest = -1;

    public LateAnswerTurnsTests()
    {
        var resources = new ResourceMap();
        resources.At("late").Get(_late.HandleAsync);
        resources.At("now").Get(
            _ =>
            {
                _pendingAtHonest = _server!.Lane.PendingRequests;
                return Response.Content("here");
            },
            HandlerMode.Inline);
        _server = new StreamLaneEnd(_wire, new CoapServerSettings { MaxPendingRequests = 4 * Many, Stream = new() { MaxRequestsInProgress = Many } }, resources);
        _greedy = _server.Accept("greedy");
        Send(_greedy, Csm);
        for (var i = 0; i < Many; i++) { Send(_greedy, Request("late")); }
        _wire.RunUntilIdle(TimeSpan.Zero);
        _late.Calls.Should().Be(Many);
    }

    public void Dispose()
    {
        _greedy.Dispose();
        _server.Dispose();
    }

    [Fact]
    public void Many_late_answers_of_one_account_do_not_delay_a_request_of_another()
    {
        var honest = _server.Accept("honest");
        Send(honest, Csm);
        _wire.RunUntilIdle(TimeSpan.Zero);

        for (var i = 0; i < Many; i++) { _late.Answer(Content(3000)); }
        Send(honest, Request("now"));
        _server.Lane.Turn();

        _pendingAtHonest.Should().BeGreaterThan(Many / 2, "the answers of one turn of the account come before it");
    }

    [Fact]
    public void All_late_answers_are_sent()
    {
        for (var i = 0; i < Many; i++) { _late.Answer(Content(16)); }
        _wire.RunUntilIdle(TimeSpan.Zero);

        _server.Lane.PendingRequests.Should().Be(0);
    }

    [Fact]
    public void The_requests_of_a_connection_that_ends_before_its_turn_end_with_it()
    {
        for (var i = 0; i < Many; i++) { _late.Answer(Content(3000)); }
        _server.Lane.Turn();
        _server.Lane.PendingRequests.Should().BeGreaterThan(0);

        _greedy.Dispose();
        _wire.RunUntilIdle(TimeSpan.FromMinutes(1));

        (_server.Lane.PendingRequests, _server.Lane.Ledger.UnsentBytes.Used).Should().Be((0, 0));
    }

    private static CoapResponse Content(int length) => new(ResponseCode.Content) { Payload = new byte[length] };

    private static byte[] Request(string path) => [(byte)((path.Length + 1) << 4), 0x01, (byte)(0xB0 | path.Length), .. System.Text.Encoding.ASCII.GetBytes(path)];

    private static void Send(IStreamConnection connection, ReadOnlySpan<byte> bytes)
    {
        connection.Send(bytes, out var count).Should().Be(StreamOutcome.Done);
        count.Should().Be(bytes.Length);
    }
}
