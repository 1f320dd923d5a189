using CoAP.Tool.Serving;

namespace CoAP.Tool.Tests.Serving;

public sealed class KeyVerdictsTests : IDisposable
{
    private const string Key = "-----BEGIN PRIVATE KEY-----\nMIIE\n";
    private static readonly DateTime LongAgo = new(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    private readonly TemporaryFolder _folder = new();
    private readonly KeyVerdicts _cut = new(TimeProvider.System);

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(Key, true), InlineData("-----BEGIN CERTIFICATE-----\nMIIB\n", false)]
    public void A_verdict_is_remembered(string content, bool expected)
    {
        var path = Write("a", content, LongAgo);

        for (var count = 0; count < 3; count++) { _cut.AreIn(path).Should().Be(expected); }

        _cut.Count.Should().Be(1);
    }

    [Fact]
    public void A_file_that_has_changed_is_searched_again()
    {
        var path = Write("a", new string('a', Key.Length), LongAgo);
        _cut.AreIn(path).Should().BeFalse();

        Write("a", Key, LongAgo.AddSeconds(2));
        _cut.AreIn(path).Should().BeTrue("its time differs");
        Write("a", "no key", LongAgo.AddSeconds(2));
        _cut.AreIn(path).Should().BeFalse("its length differs");

        _cut.Count.Should().Be(1);
    }

    // It may change again without another time, because some systems count file times in long steps.
    [Fact]
    public void A_file_that_was_just_written_is_searched_each_time()
    {
        var now = DateTime.UtcNow.AddMinutes(1);
        var path = Write("a", new string('a', Key.Length), now);
        _cut.AreIn(path).Should().BeFalse();

        Write("a", Key, now);

        _cut.AreIn(path).Should().BeTrue();
        _cut.Count.Should().Be(0);
    }

    [Fact]
    public void Is_bounded()
    {
        for (var number = 0; number <= KeyVerdicts.MaxFiles; number++)
        {
            _cut.AreIn(Write($"{number}", "text", LongAgo)).Should().BeFalse();
        }

        _cut.Count.Should().BeInRange(1, KeyVerdicts.MaxFiles);
    }

    [Fact]
    public void A_file_that_does_not_exist_contains_no_key() => _cut.AreIn(_folder["none"]).Should().BeFalse();

    private string Write(string name, string content, DateTime time)
    {
        var path = _folder.Write(name, content);
        File.SetLastWriteTimeUtc(path, time);
        return path;
    }
}
