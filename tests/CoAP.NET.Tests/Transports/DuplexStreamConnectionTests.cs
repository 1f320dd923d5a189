using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>Bytes that a .NET stream has not written yet count as unsent.</summary>
public sealed class DuplexStreamConnectionTests : IDisposable
{
    private readonly HeldStream _stream = new();
    private readonly DuplexStreamConnection _cut;
    private readonly StreamRecorder _recorder;

    public DuplexStreamConnectionTests()
    {
        _cut = new(_stream, PeerIdentity.From("peer"), PeerIdentity.From("local"), static () => default, place: null);
        _recorder = new(_cut);
    }

    public void Dispose() => _cut.Dispose();

    [Fact]
    public void Small_output_is_written_at_once()
    {
        var bytes = StreamRecorder.Pattern(4096);

        _cut.Send(bytes, out var count).Should().Be(StreamOutcome.Done);

        count.Should().Be(bytes.Length);
        _stream.Written.Should().Equal(bytes);
    }

    [Fact]
    public void Large_output_is_not_taken_before_the_caller_arms_it()
    {
        var bytes = StreamRecorder.Pattern(60_000);

        _cut.Send(bytes, out var count).Should().Be(StreamOutcome.WouldBlock);
        (count, _stream.Writes).Should().Be((0, 0));
        _cut.ArmSend(bytes);

        _recorder.IsWritable.Should().BeTrue();
        _stream.Written.Should().Equal(bytes);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(9000)]
    public void Output_that_waits_for_the_peer_is_written_once_and_then_reported(int length)
    {
        var bytes = StreamRecorder.Pattern(length);
        _stream.Hold();

        _cut.Send(bytes.AsSpan(0, 100), out var count).Should().Be(StreamOutcome.WouldBlock);
        _cut.ArmSend(bytes);
        (count, _recorder.IsWritable).Should().Be((0, false));
        _stream.Release();

        _recorder.IsWritable.Should().BeTrue();
        _stream.Written.Should().Equal(bytes);
    }

    [Fact]
    public void Small_output_that_was_written_late_is_sent_with_the_next_call()
    {
        var bytes = StreamRecorder.Pattern(100);
        _stream.Hold();
        _cut.Send(bytes, out _).Should().Be(StreamOutcome.WouldBlock);
        _stream.Release();

        _cut.Send(bytes, out var count).Should().Be(StreamOutcome.Done);

        count.Should().Be(bytes.Length);
        _stream.Written.Should().Equal(bytes);
    }
}
