# verdict: AC
# why: files that a BEGIN block writes, or values that it computes, must not reach the run
# says: ok
# never: left

use strict;
use FindBin;

BEGIN {
    if ($^C) {
        my $dir = $FindBin::Bin;
        for my $name ("$dir/table", "$dir/begin.pl", "$dir/.program", "$dir/deep/er/table", "/w/table", "/tmp/table") {
            my $folder = $name =~ s{/[^/]*$}{}r;
            mkdir "$dir/deep";
            mkdir $folder;
            if (open my $file, ">", $name) {
                print $file "print \"a source of its own was left\\n\";\n";
                close $file;
            }
        }
        symlink "begin.pl", "$dir/link.pl";
    }
}
my @left = grep { -e $_ || -l $_ } map { "$FindBin::Bin/$_" } qw(table .program .work deep link.pl);
push @left, grep { -e } qw(/w/table /tmp/table);
print @left ? "left: @left\n" : "ok\n";
