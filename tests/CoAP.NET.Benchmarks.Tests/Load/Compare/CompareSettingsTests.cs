using CoAP.Benchmarks.Reporting;

namespace CoAP.Benchmarks.Load.Tests;

public class CompareSettingsTests
{
    [Fact]
    public void The_full_form_has_64_outstanding_over_many_sockets_and_all_numbers_over_few()
    {
        var settings = Read("--full");

        settings.Cases.Should().Equal(
            new Case(IsTcp: false, 16, 1), new Case(IsTcp: false, 16, 16), new Case(IsTcp: false, 16, 64), new Case(IsTcp: false, 16, 256),
            new Case(IsTcp: false, 1_000, 64), new Case(IsTcp: false, 10_000, 64),
            new Case(IsTcp: true, 1, 64), new Case(IsTcp: true, 1_000, 1));
    }

    [Fact]
    public void Sockets_that_are_named_are_combined_with_each_number_outstanding()
    {
        var settings = Read("--full --sockets 16,1000 --outstanding 1,64 --over UDP");

        settings.Cases.Should().Equal(
            new Case(IsTcp: false, 16, 1), new Case(IsTcp: false, 16, 64), new Case(IsTcp: false, 1_000, 1), new Case(IsTcp: false, 1_000, 64));
    }

    private static CompareSettings Read(string line) => CompareSettings.Read(new Arguments(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)));
}
