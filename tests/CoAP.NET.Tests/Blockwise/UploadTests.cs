namespace CoAP.Tests.Blockwise;

/// <summary>Handlers that read a body while its blocks come.</summary>
public sealed class UploadTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private static readonly string Block = new('x', 512);

    private readonly TaskCompletionSource<string> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _gate = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _calls;

    [Fact, Trait("RFC", "7959 2.5")]
    public void The_handler_reads_a_body_larger_than_what_is_collected()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());
        _gate.SetResult();

        for (var number = 0; number < 20; number++) { Put(run, number, $"{number}/1/512", Block, $"2.31 Continue {{Block1: {number}/1/512}}"); }
        Put(run, 20, "20/0/512", "end", "2.04 Changed {Block1: 20/0/512} '10243'");

        _calls.Should().Be(1);
        run.Client.ExpectNothing(seconds: 600);
        run.Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    // Client                     Server (room for 1,024 bytes)
    //    | PUT 1:0/1/512 -------> |
    //    | <------- 2.31 1:0/1/512|
    //    | PUT 1:1/1/512 -------> |  the room is full
    //    | <------------ ACK      |  after 250 ms
    //    |                        |  the handler reads
    //    | <---- CON 2.31 1:1/1/512
    [Fact, Trait("RFC", "7252 5.2.2")]
    public void The_client_is_held_back_while_the_handler_does_not_read()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());

        Put(run, 0, "0/1/512", Block, "2.31 Continue {Block1: 0/1/512}");
        run.Client.Send($"CON [0x0001] PUT /up {{Block1: 1/1/512}} '{Block}'");
        run.ExpectLater("ACK [0x0001]", at: 0.25);
        run.Client.ExpectNothing(seconds: 100);
        _gate.SetResult();
        run.Expect("CON [Y] 2.31 Continue {Block1: 1/1/512}");
        run.Client.Send("ACK [Y]");
        Put(run, 2, "2/0/512", "end", "2.04 Changed {Block1: 2/0/512} '1027'");
    }

    [Fact, Trait("RFC", "7959 2.9.2")]
    public async Task A_missing_block_is_4_08_and_the_error_of_the_reader_names_it()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());
        _gate.SetResult();

        Put(run, 0, "0/1/512", Block, "2.31 Continue {Block1: 0/1/512}");
        Put(run, 1, "3/1/512", Block, "4.08 '*'");
        Put(run, 2, "1/1/512", Block, "4.08 '*'");

        run.Until(() => _outcome.Task.IsCompleted && run.Server.Lane.PendingRequests == 0);
        (await _outcome.Task.WaitAsync(Patience)).Should().Contain("Block 3").And.Contain("512 bytes have arrived");
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public async Task A_client_that_falls_silent_ends_the_body_for_the_reader()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());
        _gate.SetResult();
        Put(run, 0, "0/1/512", Block, "2.31 Continue {Block1: 0/1/512}");

        run.Client.ExpectNothing(seconds: 233);

        run.Until(() => _outcome.Task.IsCompleted && run.Server.Lane.PendingRequests == 0);
        (await _outcome.Task.WaitAsync(Patience)).Should().Contain("after byte 512");
        Put(run, 1, "1/0/512", "end", "4.08 '*'");
        run.Server.Lane.DeadlineCount.Should().Be(0);
    }

    [Fact]
    public void An_early_answer_of_the_handler_ends_the_transfer()
    {
        using var run = new StreamedServer(map => map.At("up").Put((_, _) => new(Response.Error(ResponseCode.Forbidden, "no"))).StreamsBody());

        Put(run, 0, "0/1/512", Block, "4.03 {Block1: 0/0/512} 'no'");
        Put(run, 1, "1/1/512", Block, "4.08 '*'");

        run.Server.Lane.DeadlineCount.Should().Be(0);
    }

    [Theory]
    [InlineData(false), InlineData(true)]
    public async Task A_read_after_the_handler_has_returned_names_the_rule(bool isCopy)
    {
        Stream? body = null;
        using var run = new StreamedServer(map => map.At("up").Put((request, _) =>
        {
            body = request.Body;
            return new(Response.Changed);
        }).StreamsBody());

        Put(run, 0, "0/1/512", Block, "2.31 Continue {Block1: 0/1/512}");

        var read = () => isCopy ? body!.CopyToAsync(Stream.Null) : body!.ReadAsync(new byte[10]).AsTask();
        await read.Should().ThrowAsync<InvalidOperationException>().WithMessage("The body can be read only until its handler returns.");
    }

    [Theory]
    [InlineData(0), InlineData(2000)]
    public void A_body_that_can_never_be_held_is_4_13(int maxTotalSize)
    {
        using var run = new StreamedServer(
            map =>
            {
                map.At("up").Put((_, _) => new(Response.Changed)).StreamsBody();
                map.At("whole").Put(_ => Response.Changed);
            },
            new ServerTransferSettings { MaxTotalSize = maxTotalSize });

        Put(run, 0, "0/1/512", Block, "4.13 Request Entity Too Large {Size1: 0} '*'");
        run.Exchange($"CON [0x0001] PUT /whole {{Block1: 0/1/512}} '{Block}'", "ACK [0x0001] 4.13 Request Entity Too Large {Size1: 0} '*'");
    }

    // A client goes on sending after a success, and what answers its last block is what counts.
    [Fact, Trait("RFC", "7959 2.3"), Trait("RFC", "7959 2.9.1")]
    public void A_success_before_the_last_block_waits_for_it()
    {
        using var run = new StreamedServer(map => map.At("up").Put((_, _) => new(Response.Changed)).StreamsBody());

        Put(run, 0, "0/1/512", Block, "2.31 Continue {Block1: 0/1/512}");
        for (var number = 1; number < 5; number++) { Put(run, number, $"{number}/1/512", Block, $"2.31 Continue {{Block1: {number}/1/512}}"); }
        Put(run, 5, "5/0/512", "end", "2.04 Changed {Block1: 5/0/512}");

        run.Server.Lane.DeadlineCount.Should().Be(0);
    }

    [Fact, Trait("RFC", "7959 2.5")]
    public void A_success_before_the_last_block_is_no_success_where_a_block_is_missing()
    {
        using var run = new StreamedServer(map => map.At("up").Put((_, _) => new(Response.Changed)).StreamsBody());

        Put(run, 0, "0/1/512", Block, "2.31 Continue {Block1: 0/1/512}");
        Put(run, 1, "2/0/512", "end", "4.08 '*'");

        run.Server.Lane.DeadlineCount.Should().Be(0);
    }

    [Theory, Trait("RFC", "7959 2.9.3")]
    [InlineData("0/1/512, Size1: 1025", 0), InlineData("2/1/512", 2)]
    public void A_body_over_the_resources_own_limit_is_4_13(string block, int before)
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody(maxSize: 1024));
        _gate.SetResult();

        for (var number = 0; number < before; number++) { Put(run, number, $"{number}/1/512", Block, $"2.31 Continue {{Block1: {number}/1/512}}"); }
        Put(run, 7, block, Block, "4.13 {Size1: 1024} '*'");

        _calls.Should().Be(before == 0 ? 0 : 1);
    }

    [Fact]
    public async Task Block_0_restarts_the_body_and_the_first_reader_gets_an_exception()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());
        _gate.SetResult();
        Put(run, 0, "0/1/512", Block, "2.31 Continue {Block1: 0/1/512}");
        Put(run, 1, "0/1/512", Block, "2.31 Continue {Block1: 0/1/512}");
        _calls.Should().Be(1, "the same block in a new message does not restart the body");

        Put(run, 2, "0/1/512", new string('y', 512), "2.31 Continue {Block1: 0/1/512}");

        run.Until(() => _outcome.Task.IsCompleted);
        (await _outcome.Task.WaitAsync(Patience)).Should().Contain("restarted");
        _calls.Should().Be(2);
        Put(run, 3, "1/0/512", "end", "2.04 Changed {Block1: 1/0/512} '515'");
    }

    [Fact]
    public void A_request_in_one_message_has_a_body_to_read_too()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());
        _gate.SetResult();

        run.Exchange("CON [0x0001] PUT /up 'whole'", "ACK [0x0001] 2.04 Changed '5'");
        run.Exchange("CON [0x0002] PUT /up {Block1: 0/0/64} 'wholly'", "ACK [0x0002] 2.04 Changed {Block1: 0/0/64} '6'");
    }

    [Fact]
    public void A_handler_that_blocks_reads_as_well()
    {
        using var run = new StreamedServer(map => map.At("up").Put(ReadBlocking).StreamsBody());

        for (var number = 0; number < 5; number++) { Put(run, number, $"{number}/1/512", Block, $"2.31 Continue {{Block1: {number}/1/512}}"); }
        Put(run, 5, "5/0/512", "end", "2.04 Changed {Block1: 5/0/512} '2563'");
    }

    [Fact]
    public async Task The_end_of_the_endpoint_ends_the_body_for_the_reader()
    {
        var run = new StreamedServer(map => map.At("up").Put(ReadAsync).StreamsBody());
        _gate.SetResult();
        Put(run, 0, "0/1/512", Block, "2.31 Continue {Block1: 0/1/512}");

        run.Dispose();

        (await _outcome.Task.WaitAsync(Patience)).Should().Contain("ended");
    }

    private static void Put(StreamedServer run, int id, string options, string payload, string answer) =>
        run.Exchange($"CON [0x{id:x4}] PUT /up {{Block1: {options}}} '{payload}'", $"ACK [0x{id:x4}] {answer}");

    private static CoapResponse Changed(string text) => new(ResponseCode.Changed) { Payload = System.Text.Encoding.ASCII.GetBytes(text) };

    private CoapResponse ReadBlocking(IncomingRequest request)
    {
        var buffer = new byte[300];
        var total = 0;
        for (var read = 1; read > 0; total += read) { read = request.Body.Read(buffer); }
        return Changed($"{total}");
    }

    private async ValueTask<CoapResponse> ReadAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _calls);
        await _gate.Task;
        var total = 0;
        try
        {
            var buffer = new byte[300];
            for (var read = 1; read > 0; total += read) { read = await request.Body.ReadAsync(buffer, cancellationToken); }
        }
        catch (CoapTransferException exception)
        {
            _outcome.TrySetResult(exception.Message);
            throw;
        }
        return Changed($"{total}");
    }
}
